// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.CallLimit;
import dev.treadle.CommandRegistry;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;

/**
 * Registers the handler of {@link HttpExchange}, over the JDK's HTTP client.
 *
 * <pre>{@code
 * HttpHandlers.over(HttpClient.newHttpClient()).runningMax(32).register(registry);
 * }</pre>
 *
 * <p>The client is yours: its redirects, proxy, certificates, connect timeout and threads are as you made it, and it may be
 * used for other things. Be careful with redirects: the JDK's client sends your headers, {@code Authorization} too, to
 * wherever the server redirects it. It follows none unless it is told to.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><th>setting</th><th>default</th></tr>
 * <tr><td>{@link #runningMax}</td><td>64 exchanges</td></tr>
 * <tr><td>{@link #waitingMax}</td><td>1,024 exchanges</td></tr>
 * <tr><td>{@link #bodyMax}</td><td>16 MiB</td></tr>
 * <tr><td>{@link #timeout}</td><td>30 s</td></tr>
 * </table>
 */
public final class HttpHandlers {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient client;
    private int runningMax = 64;
    private int waitingMax = 1_024;
    private int bodyMax = 16 << 20;
    private Duration timeout = Duration.ofSeconds(30);

    private HttpHandlers(HttpClient client) {
        this.client = client;
    }

    /** Uses a client of its own, that follows no redirects and gives a connection 10 s. */
    public static HttpHandlers withDefaults() {
        return over(HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build());
    }

    /** Uses this client. */
    public static HttpHandlers over(HttpClient client) {
        return new HttpHandlers(Objects.requireNonNull(
                client, "client is null: give an HttpClient, or use HttpHandlers.withDefaults()"));
    }

    /** Sets how many exchanges run at once: over HTTP/1.1 each has a connection of its own. */
    public HttpHandlers runningMax(int exchanges) {
        runningMax = exchanges;
        return this;
    }

    /** Sets how many exchanges wait for others to end, at the most; 0 for none. */
    public HttpHandlers waitingMax(int exchanges) {
        waitingMax = exchanges;
        return this;
    }

    /** Sets how many bytes the body of a reply may have. */
    public HttpHandlers bodyMax(int bytes) {
        bodyMax = bytes;
        return this;
    }

    /** Sets how long an exchange may take that says nothing itself, from when it is sent to the last byte. */
    public HttpHandlers timeout(Duration timeout) {
        this.timeout = Objects.requireNonNull(timeout, "timeout is null: leave it unset to use 30 s");
        return this;
    }

    /**
     * Registers the handler. Settings that are changed afterwards do not matter to it.
     *
     * @throws IllegalArgumentException if a setting is invalid; the message names all that are
     */
    public CommandRegistry register(CommandRegistry registry) {
        new Limits("HttpHandlers")
                .atLeast("runningMax", runningMax, 1, "how many exchanges run at once")
                .atLeast("waitingMax", waitingMax, 0, "how many exchanges wait")
                .atLeast("bodyMax", bodyMax, 0, "how many bytes the body of a reply may have")
                .positive("timeout", timeout, "how long an exchange may take")
                .check();
        return registry.register(
                HttpExchange.class, CallLimit.of(runningMax, waitingMax), new HttpCalls(client, bodyMax, timeout));
    }
}

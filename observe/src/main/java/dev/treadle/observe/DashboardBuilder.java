// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link Dashboard}; {@link #start} checks them. */
public final class DashboardBuilder {
    /** The port that is tried first, unless another was set. */
    public static final int PORT_DEFAULT = 7700;

    /** How long a token must be: what can be guessed is none. */
    public static final int TOKEN_LENGTH_MIN = 16;

    private static final int PORTS_TRIED_MAX = 100;
    private static final int BACKLOG_DEFAULT = 0;
    private static final Duration INTERVAL_MIN = Duration.ofMillis(100);
    private static final Duration INTERVAL_MAX = Duration.ofMinutes(1);

    private final Subject subject;
    private InetAddress address = InetAddress.getLoopbackAddress();
    private int port = -1;

    @Nullable
    String token;

    boolean control;
    Duration interval = Duration.ofSeconds(1);

    @Nullable
    Incidents incidents;

    @Nullable
    Tracer tracer;

    DashboardBuilder(Subject subject) {
        this.subject = subject;
    }

    /** Sets the port; 0 for any that is free. By default 7700, or the next one that is free. */
    public DashboardBuilder port(int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException(
                    "port was " + port + ", must be 0 to 65535: leave it unset to use " + PORT_DEFAULT);
        }
        this.port = port;
        return this;
    }

    /** Sets the address to listen on; by default the loopback address. Any other needs a {@link #token}. */
    public DashboardBuilder bind(InetAddress address) {
        this.address = Objects.requireNonNull(address, "address is null: leave it unset to listen on loopback");
        return this;
    }

    /**
     * Sets what clients have to send to be let in: a browser asks for it, others send it as a bearer token. It goes over the
     * network in the clear, unless a proxy with TLS is in front.
     */
    public DashboardBuilder token(String token) {
        this.token = Objects.requireNonNull(token, "token is null: leave it unset for none");
        if (token.length() < TOKEN_LENGTH_MIN || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("token has " + token.length() + " characters, must have at least "
                    + TOKEN_LENGTH_MIN
                    + ", all of them printable ASCII without spaces: use a random one, such as that of"
                    + " \"openssl rand -hex 16\"");
        }
        return this;
    }

    /** Lets those who look cancel and terminate processes. By default they only look. */
    public DashboardBuilder allowControl() {
        this.control = true;
        return this;
    }

    /** Sets where slow steps, failures and dead letters come from; without it the page shows their number at most. */
    public DashboardBuilder incidents(Incidents incidents) {
        this.incidents = Objects.requireNonNull(incidents, "incidents is null: leave it unset for none");
        return this;
    }

    /** Sets where the latest events of processes come from. */
    public DashboardBuilder tracer(Tracer tracer) {
        this.tracer = Objects.requireNonNull(tracer, "tracer is null: leave it unset for none");
        return this;
    }

    /** Sets how often figures are taken and sent; by default every second. */
    public DashboardBuilder interval(Duration interval) {
        Objects.requireNonNull(interval, "interval is null: leave it unset to use one second");
        if (interval.compareTo(INTERVAL_MIN) < 0 || interval.compareTo(INTERVAL_MAX) > 0) {
            throw new IllegalArgumentException("interval was " + interval + ", must be " + INTERVAL_MIN + " to "
                    + INTERVAL_MAX + ": leave it unset to use one second");
        }
        this.interval = interval;
        return this;
    }

    /**
     * Starts to listen.
     *
     * @throws IllegalStateException if it would listen to other machines without a token
     * @throws UncheckedIOException if the port is taken, or the address is none of this machine's
     */
    public Dashboard start() {
        if (!address.isLoopbackAddress() && token == null) {
            throw new IllegalStateException("the dashboard would listen on " + address.getHostAddress()
                    + " without a token, and anybody on the network could look: set a token, or bind to loopback");
        }
        HttpServer server = port >= 0 ? listen(port) : listenOnFreePort();
        boolean asWished = port >= 0 || server.getAddress().getPort() == PORT_DEFAULT;
        var dashboard = new Dashboard(subject, this, server, asWished);
        dashboard.start();
        return dashboard;
    }

    private HttpServer listen(int port) {
        try {
            return HttpServer.create(new InetSocketAddress(address, port), BACKLOG_DEFAULT);
        } catch (BindException e) {
            throw new UncheckedIOException(
                    "the dashboard cannot listen on " + address.getHostAddress() + " port " + port + " ("
                            + e.getMessage() + "): leave the port unset to use the next free one",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException("the dashboard cannot listen on " + address.getHostAddress(), e);
        }
    }

    private HttpServer listenOnFreePort() {
        for (int port = PORT_DEFAULT; ; port++) {
            try {
                return listen(port);
            } catch (UncheckedIOException e) {
                if (!(e.getCause() instanceof BindException) || port == PORT_DEFAULT + PORTS_TRIED_MAX) {
                    throw e;
                }
            }
        }
    }
}

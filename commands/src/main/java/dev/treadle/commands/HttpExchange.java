// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends an HTTP request and completes with the {@link HttpReply}, whatever its status.
 *
 * <pre>{@code
 * if (events.isFirst()) {
 *     out.yield(HttpExchange.get(uri).withHeader("Accept", "text/plain"), 1, Duration.ofSeconds(5));
 * }
 * for (Event event : events) {
 *     if (event instanceof Completion c) {
 *         out.done(c.data(HttpReply.class).text());
 *     }
 * }
 * }</pre>
 *
 * <p><b>Overload:</b> beyond {@link HttpHandlers#runningMax} exchanges others wait; beyond {@link HttpHandlers#waitingMax}
 * it fails with a {@link dev.treadle.CommandOverloadException}. <b>Timeout:</b> its own one, or {@link
 * HttpHandlers#timeout}, counts from when the request is sent to the last byte of the body; then the connection is given up
 * and it fails with an {@link HttpFailedException}. <b>Cancel:</b> a request that waits is not sent; else the exchange is
 * cancelled, and its connection closed or its stream reset. The server may have done what it was asked to.
 *
 * @param method such as GET
 * @param uri where to; http or https
 * @param headers what is sent besides what the client adds
 * @param body what is sent as the body; if empty, there is none
 * @param timeout how long it may take, or null for what the registration says
 */
public record HttpExchange(
        String method,
        URI uri,
        HttpHeaders headers,
        Bytes body,
        @Nullable Duration timeout) implements Command {
    private static final HttpHeaders NO_HEADERS = HttpHeaders.of(Map.of(), (name, value) -> true);

    /**
     * Checks all that the client would refuse, here where the mistake is made.
     *
     * @throws IllegalArgumentException if the method, the URI, a header or the timeout cannot be sent
     */
    public HttpExchange {
        Objects.requireNonNull(method, "method is null: give one such as \"GET\"");
        Objects.requireNonNull(uri, "uri is null: give where to send the request");
        Objects.requireNonNull(headers, "headers is null: use withHeader, or leave it to get and post");
        Objects.requireNonNull(body, "body is null: use Bytes.EMPTY for none");
        if (timeout != null && (timeout.isZero() || timeout.isNegative())) {
            throw new IllegalArgumentException("timeout of " + method + " was " + timeout
                    + ", must be positive: leave it out to use that of the registration");
        }
        try {
            request(method, uri, headers, body);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "HTTP request " + method + " " + withoutSecrets(uri)
                            + " cannot be sent, it must have an absolute http or https URI, a method that is a word, and no header"
                            + " that the client sets itself: " + e.getMessage(),
                    e);
        }
    }

    /** Returns a request that reads. */
    public static HttpExchange get(URI uri) {
        return of("GET", uri);
    }

    /** Returns a request that sends a text in UTF-8; say with {@link #withHeader} what type it has. */
    public static HttpExchange post(URI uri, String body) {
        return of("POST", uri).withBody(Bytes.of(body));
    }

    /** Returns a request without headers and body. */
    public static HttpExchange of(String method, URI uri) {
        return new HttpExchange(method, uri, NO_HEADERS, Bytes.EMPTY, null);
    }

    /** Returns the same request with one more header. */
    public HttpExchange withHeader(String name, String value) {
        Objects.requireNonNull(name, "name is null: give the name of the header");
        Objects.requireNonNull(value, () -> "value of header " + name + " is null: leave the header out");
        var map = new LinkedHashMap<String, List<String>>(headers.map());
        String known =
                map.keySet().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
        var values = new ArrayList<>(map.getOrDefault(known, List.of()));
        values.add(value);
        map.put(known, values);
        return new HttpExchange(method, uri, HttpHeaders.of(map, (n, v) -> true), body, timeout);
    }

    /** Returns the same request with this body. */
    public HttpExchange withBody(Bytes body) {
        return new HttpExchange(method, uri, headers, body, timeout);
    }

    /** Returns the same request that may take so long, from when it is sent to the last byte of the reply. */
    public HttpExchange withTimeout(Duration timeout) {
        return new HttpExchange(method, uri, headers, body, timeout);
    }

    HttpRequest request() {
        return request(method, uri, headers, body);
    }

    private static HttpRequest request(String method, URI uri, HttpHeaders headers, Bytes body) {
        HttpRequest.BodyPublisher publisher = body.isEmpty()
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(body.array());
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, publisher);
        headers.map().forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        return request.build();
    }

    /** The URI without user and query, which do not belong in logs. */
    static String withoutSecrets(URI uri) {
        if (uri.isOpaque() || uri.getHost() == null) {
            return uri.getScheme() == null ? String.valueOf(uri.getPath()) : uri.getScheme() + ":...";
        }
        return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                + uri.getRawPath();
    }

    /** Leaves out the headers, the query and the body, which may be secret. */
    @Override
    public String toString() {
        return "HttpExchange[" + method + " " + withoutSecrets(uri) + ", body of " + body.size() + " bytes]";
    }
}

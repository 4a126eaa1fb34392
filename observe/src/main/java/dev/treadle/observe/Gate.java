// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides who may look, and who may end processes. Any thread. */
final class Gate {
    /*
     * Three kinds of strangers.
     *
     * Somebody on the network: cannot reach a server on the loopback address, and needs the token for any other.
     *
     * A web site that the user's browser has open, and that lets its own name point to 127.0.0.1 (DNS rebinding): its
     * requests come with that name in Host, and without a token we answer to loopback names alone. With a token this cannot
     * happen: the site does not know it, and it is in no cookie that a browser would add by itself. So a proxy in front may
     * pass its own name on, if there is a token.
     *
     * A web site that sends requests to http://127.0.0.1:7700 blindly (cross-site request): browsers say where a request
     * comes from, in Sec-Fetch-Site and Origin. To end a process also takes a header of our own, which a browser sends to
     * another site only after asking it, and we never say yes.
     */
    static final String CONTROL_HEADER = "X-Treadle-Control";

    private static final String BEARER = "Bearer ";
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private final byte @Nullable [] token;
    private final boolean control;

    /** Takes the token, which may be missing only if the server listens on the loopback address. */
    Gate(@Nullable String token, boolean control) {
        this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        this.control = control;
    }

    /** Returns why a request is refused, or null if it may pass. The page itself is no secret, what it shows is. */
    @Nullable
    Reply refusal(HttpExchange exchange, boolean secret) {
        Headers headers = exchange.getRequestHeaders();
        String host = headers.getFirst("Host");
        if (token == null && !isLoopbackName(host)) {
            InetSocketAddress here = exchange.getLocalAddress();
            return Reply.problem(
                    Reply.FORBIDDEN,
                    "the Host header was \"" + Text.shortened(String.valueOf(host))
                            + "\", must be a name of this machine's own: open http://127.0.0.1:" + here.getPort()
                            + "/");
        }
        if (!secret) {
            return null;
        }
        String site = headers.getFirst("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return Reply.problem(Reply.FORBIDDEN, "the request comes from another site: open the dashboard itself");
        }
        if (token != null && !hasToken(headers.getFirst("Authorization"))) {
            return Reply.problem(
                    Reply.UNAUTHORIZED, "the token is missing or wrong: send it as \"Authorization: Bearer TOKEN\"");
        }
        return exchange.getRequestMethod().equals("POST") ? controlRefusal(headers, host) : null;
    }

    private @Nullable Reply controlRefusal(Headers headers, @Nullable String host) {
        if (!control) {
            return Reply.problem(
                    Reply.FORBIDDEN,
                    "this dashboard only shows: start it with allowControl() to end processes from it");
        }
        String origin = headers.getFirst("Origin");
        if (origin != null && !origin.equals("http://" + host) && !origin.equals("https://" + host)) {
            return Reply.problem(
                    Reply.FORBIDDEN,
                    "the Origin header was \"" + Text.shortened(origin) + "\", must be this dashboard");
        }
        if (headers.getFirst(CONTROL_HEADER) == null) {
            return Reply.problem(
                    Reply.FORBIDDEN, "the header " + CONTROL_HEADER + " is missing: send it with any value");
        }
        return null;
    }

    private static boolean isLoopbackName(@Nullable String host) {
        if (host == null) {
            return false;
        }
        int colon = host.lastIndexOf(':');
        boolean hasPort = colon > host.lastIndexOf(']');
        String name = hasPort ? host.substring(0, colon) : host;
        return LOOPBACK_NAMES.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Takes as long for a wrong token as for the right one. */
    private boolean hasToken(@Nullable String authorization) {
        return authorization != null
                && authorization.startsWith(BEARER)
                && MessageDigest.isEqual(
                        authorization.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8), token);
    }
}

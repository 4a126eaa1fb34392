// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server answered to an {@link HttpExchange}.
 *
 * @param status such as 200
 * @param headers what it says of the body
 * @param body all of it
 * @param uri where it comes from: another one than was asked if the client followed redirects
 */
public record HttpReply(int status, HttpHeaders headers, Bytes body, URI uri) {
    private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset=\"?([^\\s;\"]+)");

    /** Makes a reply, as a unit test of a process needs it. */
    public HttpReply {
        Objects.requireNonNull(headers, "headers is null");
        Objects.requireNonNull(body, "body is null: use Bytes.EMPTY for none");
        Objects.requireNonNull(uri, "uri is null");
    }

    /** Returns whether the status is 200 to 299. */
    public boolean isSuccess() {
        return 200 <= status && status <= 299;
    }

    /** Returns the first value of a header; upper and lower case do not matter. */
    public Optional<String> header(String name) {
        return headers.firstValue(name);
    }

    /** Returns the body as a text, in the charset that the server names, else in UTF-8. */
    public String text() {
        return body.text(charset());
    }

    private Charset charset() {
        Matcher named = CHARSET.matcher(header("Content-Type").orElse(""));
        try {
            return named.find() ? Charset.forName(named.group(1).toUpperCase(Locale.ROOT)) : StandardCharsets.UTF_8;
        } catch (IllegalArgumentException e) {
            return StandardCharsets.UTF_8; // a name that no JVM knows
        }
    }

    /** Leaves out the headers and the query, which may be secret. */
    @Override
    public String toString() {
        return "HttpReply[" + status + " from " + HttpExchange.withoutSecrets(uri) + ", body of " + body.size()
                + " bytes]";
    }
}

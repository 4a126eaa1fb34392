// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Shows a trace as a page that needs nothing else: the events as data, in a template that draws them. */
final class TracePage {
    private static final String TEMPLATE = "trace-page.html";
    private static final String PLACE = "/*DATA*/";

    private TracePage() {}

    static String of(Trace trace) {
        var events = new StringJoiner(",\n", "[", "]");
        trace.events().forEach(event -> events.add(json(event)));
        return template().replace(PLACE, "{\"dropped\":" + trace.dropped() + ",\"events\":" + events + "}");
    }

    private static String json(TraceEvent event) {
        return "{\"kind\":" + text(event.kind().name()) + ",\"time\":" + text(event.seconds()) + ",\"pid\":"
                + text(event.pid())
                + ",\"other\":" + text(event.other()) + ",\"message\":" + event.message() + ",\"received\":"
                + event.received() + ",\"text\":" + text(event.detailText()) + ",\"line\":" + text(event.text()) + "}";
    }

    /** A string as JSON, and as what may stand in a page: no "less than" sign can end the script. */
    private static String text(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        var json = new StringBuilder("\"");
        for (char c : value.toString().toCharArray()) {
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c == '<' || c == '\u2028' || c == '\u2029') {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    private static String template() {
        try (InputStream stream = TracePage.class.getResourceAsStream(TEMPLATE)) {
            return new String(
                    Objects.requireNonNull(stream, TEMPLATE + " is missing from the jar")
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

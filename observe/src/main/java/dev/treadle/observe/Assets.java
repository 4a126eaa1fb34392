// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of the page: a fixed list, so that no path can lead anywhere else. */
final class Assets {
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("index.html", "text/html; charset=utf-8"),
            Map.entry("app.css", "text/css; charset=utf-8"),
            Map.entry("app.js", SCRIPT),
            Map.entry("connection.js", SCRIPT),
            Map.entry("dom.js", SCRIPT),
            Map.entry("figures.js", SCRIPT),
            Map.entry("chart.js", SCRIPT),
            Map.entry("overview.js", SCRIPT),
            Map.entry("processes.js", SCRIPT),
            Map.entry("process.js", SCRIPT),
            Map.entry("tree.js", SCRIPT),
            Map.entry("names.js", SCRIPT),
            Map.entry("icon.svg", "image/svg+xml"));

    private Assets() {}

    /** Returns a file of the page, or null if there is none of that name. */
    static @Nullable Reply find(String path) {
        String name = path.equals("/") ? "index.html" : path.substring(1);
        String type = TYPES.get(name);
        return type == null ? null : new Reply(Reply.OK, type, read(name));
    }

    private static String read(String name) {
        try (InputStream in = Assets.class.getResourceAsStream("page/" + name)) {
            if (in == null) {
                throw new IllegalStateException("page/" + name + " is not in the jar: build it again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

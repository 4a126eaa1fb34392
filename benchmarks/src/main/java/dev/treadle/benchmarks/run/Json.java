// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes results. */
public final class Json {
    private static final JsonMapper LINE = JsonMapper.builder().build();
    private static final JsonMapper PRETTY =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    static String line(ForkResult result) {
        return LINE.writeValueAsString(result);
    }

    static ForkResult forkResult(String json) {
        return LINE.readValue(json, ForkResult.class);
    }

    /** Writes a file. */
    public static void write(Path file, Results results) throws IOException {
        Files.writeString(file, PRETTY.writeValueAsString(results) + "\n");
    }

    /**
     * Reads a file that {@link #write} wrote.
     *
     * @throws IOException if there is none, or it is something else; says what to do
     */
    public static Results read(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException("there are no results in " + file
                    + ": run treadle bench --json FILE first, and name that file with --json");
        }
        try {
            return LINE.readValue(Files.readString(file), Results.class);
        } catch (JacksonException wrong) {
            throw new IOException(
                    file + " holds something else than results, " + wrong.getOriginalMessage()
                            + ": name a file that treadle bench --json FILE wrote",
                    wrong);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;
import java.util.Objects;

/**
 * Appends to a file within the folder of the registration, which is made if it is not there, and completes with its size
 * afterwards as a Long. What several processes append to one file does not mix.
 *
 * <pre>{@code
 * if (events.isFirst()) {
 *     out.yield(AppendFile.of("letters/log.txt", "one line\n"), 1, Duration.ofSeconds(5));
 * }
 * for (Event event : events) {
 *     if (event instanceof Completion c) {
 *         out.done(c.data(Long.class));
 *     }
 * }
 * }</pre>
 *
 * <p>It is not forced to the disk: after a power failure the end may be missing.
 *
 * <p><b>Overload and timeout:</b> as for {@link ReadFile}. <b>Cancel:</b> one that waits is not begun; one that has begun to
 * write goes on to its end, as half an entry helps nobody.
 *
 * @param path the file, relative to the folder of the registration; its own folder must be there
 * @param content what is appended
 */
public record AppendFile(String path, Bytes content) implements Command {
    /** Makes the command. The path is checked when it is used. */
    public AppendFile {
        Objects.requireNonNull(path, "path is null: give the file, relative to the folder of the registration");
        Objects.requireNonNull(content, "content is null: use Bytes.EMPTY for nothing");
    }

    /** Returns a command that appends a text in UTF-8. */
    public static AppendFile of(String path, String content) {
        return new AppendFile(path, Bytes.of(content));
    }
}

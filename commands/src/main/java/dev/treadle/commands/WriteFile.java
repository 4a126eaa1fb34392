// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;
import java.util.Objects;

/**
 * Writes a file within the folder of the registration, and completes with its size as a Long. A file that is there is
 * replaced, and keeps its permissions. Whoever reads it meanwhile sees the old content or the new, and nothing between.
 *
 * <pre>{@code
 * if (events.isFirst()) {
 *     out.yield(WriteFile.of("letters/answer.txt", "Good day"), 1, Duration.ofSeconds(5));
 * }
 * for (Event event : events) {
 *     if (event instanceof Completion c) {
 *         out.done(c.data(Long.class));
 *     }
 * }
 * }</pre>
 *
 * <p>The content is on the disk when the command completes, as far as the operating system tells; the name in its folder may
 * be lost by a power failure shortly afterwards, and then the old content is there.
 *
 * <p><b>Overload and timeout:</b> as for {@link ReadFile}. <b>Cancel:</b> one that waits is not begun; one that is being
 * written is left, and the old content stays.
 *
 * @param path the file, relative to the folder of the registration; its own folder must be there
 * @param content what it will contain
 */
public record WriteFile(String path, Bytes content) implements Command {
    /** Makes the command. The path is checked when it is used. */
    public WriteFile {
        Objects.requireNonNull(path, "path is null: give the file, relative to the folder of the registration");
        Objects.requireNonNull(content, "content is null: use Bytes.EMPTY for an empty file");
    }

    /** Returns a command that writes a text in UTF-8. */
    public static WriteFile of(String path, String content) {
        return new WriteFile(path, Bytes.of(content));
    }
}

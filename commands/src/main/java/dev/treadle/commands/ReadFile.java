// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;
import java.util.Objects;

/**
 * Reads a whole file within the folder of the registration, and completes with its {@link Bytes}.
 *
 * <pre>{@code
 * if (events.isFirst()) {
 *     out.yield(new ReadFile("letters/hello.txt"), 1, Duration.ofSeconds(5));
 * }
 * for (Event event : events) {
 *     if (event instanceof Completion c) {
 *         out.done(c.data(Bytes.class).text());
 *     }
 * }
 * }</pre>
 *
 * <p><b>Overload:</b> beyond {@link FileHandlers#runningMax} files others wait; beyond {@link FileHandlers#waitingMax} it
 * fails with a {@link dev.treadle.CommandOverloadException}. <b>Timeout:</b> that of the yield. <b>Cancel:</b> one that
 * waits is not begun, one that is being read is left.
 *
 * @param path the file, relative to the folder of the registration; see {@link FileHandlers} for what is refused
 */
public record ReadFile(String path) implements Command {
    /** Makes the command. The path is checked when it is used. */
    public ReadFile {
        Objects.requireNonNull(path, "path is null: give the file, relative to the folder of the registration");
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.CallLimit;
import dev.treadle.CommandRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Registers the handlers of {@link ReadFile}, {@link WriteFile} and {@link AppendFile}, within one folder.
 *
 * <pre>{@code
 * FileHandlers.within(Path.of("data")).fileMax(1 << 20).register(registry);
 * }</pre>
 *
 * <p><b>What is promised.</b> A path is relative, has no {@code .} or {@code ..} in it, and leads over no symbolic link: not
 * as the file, and not on the way to it. Everything else is refused before anything is touched. Where the file system can do
 * it (Linux, most of all) each step of the way is opened from the one before without following links, so that this holds even
 * against somebody who changes links at the same moment. Elsewhere it is checked first and opened then, which such a somebody
 * can outrun. Only plain files are read and written.
 *
 * <p><b>What is not.</b> The folder itself is yours: links on the way to it are followed once, at registration. Hard links
 * and mounted file systems within it cannot be told from its own files. Who may replace a file by a pipe at the right moment
 * can make a call hang.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><th>setting</th><th>default</th></tr>
 * <tr><td>{@link #runningMax}</td><td>8 files</td></tr>
 * <tr><td>{@link #waitingMax}</td><td>16,384 files</td></tr>
 * <tr><td>{@link #fileMax}</td><td>16 MiB</td></tr>
 * </table>
 */
public final class FileHandlers {
    private final Path folder;
    private int runningMax = 8;
    private int waitingMax = 16_384;
    private int fileMax = 16 << 20;

    private FileHandlers(Path folder) {
        this.folder = folder;
    }

    /** Uses this folder, which must be there when the handlers are registered. */
    public static FileHandlers within(Path folder) {
        return new FileHandlers(Objects.requireNonNull(folder, "folder is null: give the one that commands may use"));
    }

    /** Sets how many files are read and written at once. */
    public FileHandlers runningMax(int files) {
        runningMax = files;
        return this;
    }

    /** Sets how many commands wait for others to end, at the most; 0 for none. */
    public FileHandlers waitingMax(int files) {
        waitingMax = files;
        return this;
    }

    /** Sets how many bytes a file may have that is read, or that a command writes to. */
    public FileHandlers fileMax(int bytes) {
        fileMax = bytes;
        return this;
    }

    /**
     * Registers the handlers. Settings that are changed afterwards do not matter to them.
     *
     * @throws IllegalArgumentException if the folder is not there, or a setting is invalid; the message names all that are
     */
    public CommandRegistry register(CommandRegistry registry) {
        new Limits("FileHandlers")
                .atLeast("runningMax", runningMax, 1, "how many files are used at once")
                .atLeast("waitingMax", waitingMax, 0, "how many commands wait")
                .atLeast("fileMax", fileMax, 0, "how many bytes a file may have")
                .check();
        return new FileCalls(realFolder(), fileMax, true).register(registry, CallLimit.of(runningMax, waitingMax));
    }

    private Path realFolder() {
        try {
            Path real = folder.toRealPath();
            if (Files.isDirectory(real)) {
                return real;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "folder was " + folder + ", which is not there: create it, or give another one", e);
        }
        throw new IllegalArgumentException("folder was " + folder + ", which is a file: give the folder of the files");
    }
}

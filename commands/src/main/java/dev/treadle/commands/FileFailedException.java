// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import org.jspecify.annotations.Nullable;

/** The error of a {@link ReadFile}, {@link WriteFile} or {@link AppendFile} that failed. */
public final class FileFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Reason {
        /** The path leaves the folder, or leads over a symbolic link: nothing was touched. */
        OUTSIDE,
        /** The file, or a folder on the way to it, is not there. */
        NOT_FOUND,
        /** It is a folder, or a pipe or a device: or a folder on the way to it is a file. */
        NOT_A_FILE,
        /** It is, or would become, larger than the registration allows. */
        TOO_LARGE,
        /** The operating system refused it: rights, or a full disk. The cause tells. */
        REFUSED
    }

    private final Reason reason;

    FileFailedException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Returns what went wrong. */
    public Reason reason() {
        return reason;
    }
}

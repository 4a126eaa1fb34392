// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import org.jspecify.annotations.Nullable;

/** The error of a {@link RunProgram} whose program did not run to its own end. An exit code other than 0 is no failure. */
public final class ProgramFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Reason {
        /** The operating system did not start it. */
        NOT_STARTED,
        /** It ran too long, and was killed. */
        TIMEOUT,
        /** It wrote too much, and was killed. */
        TOO_LARGE
    }

    private final Reason reason;
    private final transient Bytes output;
    private final transient Bytes errors;

    ProgramFailedException(Reason reason, String message, Bytes output, Bytes errors, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.output = output;
        this.errors = errors;
    }

    /** Returns what went wrong. */
    public Reason reason() {
        return reason;
    }

    /** Returns what it wrote to its standard output until then. */
    public Bytes output() {
        return output;
    }

    /** Returns what it wrote to its standard error until then. */
    public Bytes errors() {
        return errors;
    }
}

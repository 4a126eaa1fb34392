// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/** Thrown when a scheduler does not take a process. Nothing of it is left behind. */
public final class SubmissionRefusedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** Why a process was refused. */
    public enum Reason {
        /** The scheduler is shutting down, or has shut down. */
        STOPPING,
        /** As many processes are alive as the scheduler may have. */
        TOO_MANY_PROCESSES,
        /** A living process has the id that was chosen. */
        DUPLICATE_PID,
        /** A listener's {@code onStart} threw. */
        LISTENER
    }

    private final Reason reason;

    SubmissionRefusedException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Returns why. */
    public Reason reason() {
        return reason;
    }
}

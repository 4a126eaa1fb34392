// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import org.jspecify.annotations.Nullable;

/** What a replay gives to a process in the place of a throwable that the recording has only as text, or that may not be read. */
public final class RecordedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String type;

    RecordedFailure(String type, @Nullable String message) {
        super(message, null, false, false);
        this.type = type;
    }

    /** Returns the class of the throwable that was recorded. */
    public String type() {
        return type;
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // reads as the original did
    public String toString() {
        return type + (getMessage() == null ? "" : ": " + getMessage());
    }
}

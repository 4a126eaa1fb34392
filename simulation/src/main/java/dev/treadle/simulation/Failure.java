// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Pid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong in a run.
 *
 * @param kind in which way
 * @param name which check it was, or the class of what was thrown: a run that is shrunk must fail by the same
 * @param message what the user reads
 * @param involved the processes whose events tell about it; all if there are none
 * @param cause what was thrown, or null
 */
record Failure(
        Kind kind,
        String name,
        String message,
        List<Pid> involved,
        @Nullable Throwable cause) {
    /** In which way a run failed. */
    enum Kind {
        /** A check of the user's does not hold. */
        CHECK,
        /** User code threw, outside of processes. */
        THROWN,
        /** Processes wait for each other. */
        DEADLOCK,
        /** A process waits for what never comes. */
        WAITS_FOR_EVER,
        /** Much happens, and time does not move. */
        LIVELOCK,
        /** Something is left at the end. */
        LEAK,
        /** Something happens that the seed does not decide. */
        LEFT,
        /** Two runs of one seed were not the same. */
        NOT_DETERMINISTIC
    }

    boolean isLike(Failure other) {
        return kind == other.kind && name.equals(other.name);
    }
}

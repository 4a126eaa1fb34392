// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/**
 * What a worker was doing at a moment.
 *
 * @param index which worker, as in {@link WorkerStats}
 * @param isSpare whether it stands in for one that is held up in a slow step
 * @param activity what it was doing
 * @param running the process whose code it was running, or null
 */
public record WorkerInfo(
        int index,
        boolean isSpare,
        Activity activity,
        @Nullable Pid running) {
    /** What a worker does. */
    public enum Activity {
        /** Runs the code of a process. */
        RUNNING,
        /** Looks for work, or is between two processes. */
        SEARCHING,
        /** Sleeps until there is work. */
        ASLEEP,
        /** Has no thread: a spare one that is not needed now, or one of a scheduler that is run by hand or has ended. */
        RESTING
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.time.Duration;

/** Durations as a number of nanoseconds. */
final class Nanos {
    private Nanos() {}

    /** Returns the nanoseconds of a duration; the largest number for more than 292 years. */
    static long of(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}

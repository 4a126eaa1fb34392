// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.examples;

import dev.treadle.SteppedScheduler;
import dev.treadle.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** A clock that stands still until a test moves it. */
final class VirtualClock implements TimeSource {
    private long nanos;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(nanos);
    }

    /** Moves on, from timer to timer, and lets the processes do what they do then. */
    void pass(Duration time, SteppedScheduler stepped) {
        long end = nanos + time.toNanos();
        stepped.runAll();
        while (stepped.nextTimerNanos() <= end) {
            nanos = Math.max(nanos, stepped.nextTimerNanos());
            stepped.fireTimers();
            stepped.runAll();
        }
        nanos = end;
    }
}

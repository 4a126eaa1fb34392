// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.time.Instant;

/** Answers a yield at a time of day. The clock that tells it may be set meanwhile, so it looks now and then. */
final class ClockTimer extends YieldTimer {
    /** How long it waits between two looks at the most. */
    private static final long LOOK_NANOS = Duration.ofMinutes(1).toNanos();

    private final TimeSource time;
    private final Instant due;

    ClockTimer(Scheduler scheduler, YieldInFlight yield, Instant due) {
        super(scheduler.timers, yield, nanosUntil(scheduler.config.time(), due));
        this.time = scheduler.config.time();
        this.due = due;
    }

    /** Whether it is that time already. */
    boolean isDue() {
        return delayNanos == 0;
    }

    @Override
    boolean isElapsing() {
        return false;
    }

    @Override
    void start() {
        start(Math.min(LOOK_NANOS, delayNanos));
    }

    @Override
    protected void fire() {
        if (!yield.isPending()) {
            return; // its timeout has answered it just now
        }
        long left = nanosUntil(time, due);
        if (left == 0) {
            yield.complete(null);
            return;
        }
        start(Math.min(LOOK_NANOS, left));
        if (!yield.isPending()) {
            cancel();
        }
    }

    private static long nanosUntil(TimeSource time, Instant due) {
        Duration left = Duration.between(time.instant(), due);
        return left.isNegative() ? 0 : Durations.nanosFromZero("time left", left);
    }
}

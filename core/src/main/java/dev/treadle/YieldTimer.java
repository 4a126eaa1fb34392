// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.timer.TimerNode;
import org.jspecify.annotations.Nullable;

/** A timer that answers a yield: its timeout, or the end of a sleep. Dropped when the yield is answered or abandoned. */
abstract class YieldTimer extends TimerNode {
    final YieldInFlight yield;
    final long delayNanos;
    private final Timers timers;

    /** Another one of the same yield, which runs beside this; set before this is started. */
    @Nullable
    YieldTimer beside;

    YieldTimer(Timers timers, YieldInFlight yield, long delayNanos) {
        this.timers = timers;
        this.yield = yield;
        this.delayNanos = delayNanos;
    }

    void start() {
        start(delayNanos);
    }

    final void start(long nanos) {
        timers.start(this, nanos);
    }

    /** Whether it fires when a length of time is over, so that which of two comes first is known beforehand. */
    boolean isElapsing() {
        return true;
    }

    final void cancel() {
        timers.cancel(this);
        if (beside != null) {
            beside.cancel();
        }
    }
}

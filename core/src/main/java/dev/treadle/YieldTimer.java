// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.timer.TimerNode;

/** A timer that answers a yield: its timeout, or the end of a sleep. Dropped when the yield is answered or abandoned. */
abstract class YieldTimer extends TimerNode {
    final YieldInFlight yield;
    final long delayNanos;
    private final Timers timers;

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

    final void cancel() {
        timers.cancel(this);
    }
}

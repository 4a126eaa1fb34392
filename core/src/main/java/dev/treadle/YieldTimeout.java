// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.timer.TimerNode;
import java.time.Duration;

/** Fails a yield that was not answered in time. */
final class YieldTimeout extends TimerNode {
    private final Timers timers;
    private final YieldInFlight yield;
    private final Class<?> command;
    private final long timeoutNanos;

    YieldTimeout(Timers timers, YieldInFlight yield, Class<?> command, long timeoutNanos) {
        this.timers = timers;
        this.yield = yield;
        this.command = command;
        this.timeoutNanos = timeoutNanos;
    }

    void start() {
        timers.start(this, timeoutNanos);
    }

    void cancel() {
        timers.cancel(this);
    }

    @Override
    protected void fire() {
        yield.timeOut(new CommandTimeoutException(command.getTypeName(), yield.tag(), Duration.ofNanos(timeoutNanos)));
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;

/** Fails a yield that was not answered in time. */
final class YieldTimeout extends YieldTimer {
    private final Class<?> command;

    YieldTimeout(Timers timers, YieldInFlight yield, Class<?> command, long timeoutNanos) {
        super(timers, yield, timeoutNanos);
        this.command = command;
    }

    @Override
    protected void fire() {
        yield.timeOut(new CommandTimeoutException(command.getTypeName(), yield.tag(), Duration.ofNanos(delayNanos)));
        cancel(); // a timer beside this one
    }
}

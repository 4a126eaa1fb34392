// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.timer.TimerNode;

/** Ends a process by force that was asked to end and has not in time. */
final class KillTimer extends TimerNode {
    private final ProcessCell cell;
    private final String reason;

    KillTimer(ProcessCell cell, String reason) {
        this.cell = cell;
        this.reason = reason;
    }

    @Override
    protected void fire() {
        cell.scheduler.timers.unawaitedFired();
        cell.scheduler.kill(cell, "not ended by the deadline of its cancellation (" + reason + ")");
    }
}

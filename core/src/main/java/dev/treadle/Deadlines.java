// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.timer.TimerNode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The deadlines of processes that were asked to end: those that have not by then are ended by force. */
final class Deadlines {
    /*
     * One timer for a process at the most, the soonest. It is dropped when the process ends, so that it does not keep the
     * cell for as long as the deadline. A deadline that is set while the process ends: set() puts it in the map and then
     * looks whether the process has ended; the end is written before drop() looks at the map. One of the two sees the
     * other.
     */
    private final Scheduler scheduler;
    private final Map<ProcessCell, Deadline> deadlines = new ConcurrentHashMap<>();

    Deadlines(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Any thread. Ends a process by force after a while, unless it has ended or has an earlier deadline. */
    void set(ProcessCell cell, String reason, long nanos) {
        long deadline = scheduler.config.time().nanos() + nanos;
        deadlines.compute(cell, (key, before) -> {
            if (before != null && before.deadlineNanos() - deadline <= 0) {
                return before;
            }
            if (before != null) {
                scheduler.timers.cancel(before);
            }
            var timer = new Deadline(cell, reason);
            scheduler.timers.start(timer, nanos);
            return timer;
        });
        if (!ProcessState.isOpen(cell.word())) {
            drop(cell);
        }
    }

    /** Whoever ends a process, after the end was written. */
    void drop(ProcessCell cell) {
        Deadline timer = deadlines.isEmpty() ? null : deadlines.remove(cell);
        if (timer != null) {
            scheduler.timers.cancel(timer);
        }
    }

    /** How many are set. Nobody waits for them: they do not keep a shutdown waiting. */
    int size() {
        return deadlines.size();
    }

    void clear() {
        deadlines.clear();
    }

    /** Ends one process. */
    private final class Deadline extends TimerNode {
        private final ProcessCell cell;
        private final String reason;

        Deadline(ProcessCell cell, String reason) {
            this.cell = cell;
            this.reason = reason;
        }

        @Override
        protected void fire() {
            deadlines.remove(cell, this);
            scheduler.kill(cell, "not ended by the deadline of its cancellation (" + reason + ")");
        }
    }
}

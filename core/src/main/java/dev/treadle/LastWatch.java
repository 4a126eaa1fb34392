// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/**
 * When a thief takes processes that have sent to a crowded mailbox from the last queue of another worker. The thief's own.
 */
final class LastWatch {
    /*
     * They are best left to the worker that has them, if it runs the receiver too, or taken by the one that does:
     *
     *   the receiver sleeps, or none is known         half of them, at once: it is not about to empty its mailbox
     *   they rest, and the thief ran the receiver     one, at once
     *   the oldest was not taken for PATIENCE_NANOS   half of them: their worker is held up
     *   none of these for PATIENCE_NANOS              one, of the worker that is watched
     *
     * So a worker without work waits PATIENCE_NANOS at the most while there are any. It watches one worker at a time, and
     * begins with another each time.
     */

    /** How long a thief leaves them alone. */
    static final long PATIENCE_NANOS = CrowdRest.REST_NANOS_MAX;

    private final Worker thief;
    private final WorkerGroup group;

    private int next;
    private @Nullable WorkerQueues watched;
    private long oldest;
    private long sinceNanos;

    LastWatch(Worker thief, WorkerGroup group) {
        this.thief = thief;
        this.group = group;
        this.next = thief.index;
    }

    /** Takes one to run, or returns null: there is none, or it is not yet time. */
    @Nullable
    ProcessCell steal() {
        Worker[] all = group.workers();
        WorkerQueues first = null;
        boolean sees = false;
        for (int i = 0; i < all.length; i++) {
            Worker victim = all[(next + i) % all.length];
            WorkerQueues queues = victim.queues;
            if (victim == thief || !queues.hasLast()) {
                continue;
            }
            ProcessCell cell = stealAtOnce(queues);
            if (cell != null) {
                return cell;
            }
            first = first == null ? queues : first;
            sees = sees || queues == watched;
        }
        if (first == null) {
            watched = null;
            return null;
        }
        if (!sees || watched == null) {
            watch(first);
            return null;
        }
        return stealWatched(watched);
    }

    private @Nullable ProcessCell stealAtOnce(WorkerQueues victim) {
        if (!victim.rest().isReceiverReady()) {
            return victim.stealLastInto(thief.queues, thief.counters);
        }
        return victim.rest().isOnFor(thief.index) ? victim.stealOldestOfLast(thief.queues, thief.counters) : null;
    }

    private @Nullable ProcessCell stealWatched(WorkerQueues victim) {
        if (System.nanoTime() - sinceNanos < PATIENCE_NANOS) {
            return null;
        }
        boolean heldUp = victim.oldestOfLast() == oldest;
        watched = null;
        next = (next + 1) % group.workers().length;
        return heldUp
                ? victim.stealLastInto(thief.queues, thief.counters)
                : victim.stealOldestOfLast(thief.queues, thief.counters);
    }

    private void watch(WorkerQueues victim) {
        watched = victim;
        oldest = victim.oldestOfLast();
        sinceNanos = System.nanoTime();
    }

    /** Whether there were any at the last look: they are to be taken soon, by their worker or by this one. */
    boolean isOn() {
        return watched != null;
    }
}

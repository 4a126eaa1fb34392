// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import org.jspecify.annotations.Nullable;

/** The nodes of a wheel and its time, in the order in which they fire. Not thread-safe: the lock of the wheel guards it. */
final class TimerSet {
    /*
     * A node is in one of three places, by the tick its deadline lies in:
     *
     *   add --tick > horizonTick--> slots --step(): its tick is reached--> near --deadline <= now--> firstDue()
     *      \                                                                ^
     *       --tick <= horizonTick--> arrivals ------moveTo()----------------+
     *
     *   slots     what is due in ticks to come, coarsely sorted
     *   near      what is due in ticks already reached, in order of deadline
     *   arrivals  what was added for a tick already reached, in order of start
     *
     * The horizon is the tick of the latest time given to moveTo(). It moves first; the ticks up to it are then reached
     * one after the other while nodes fire. What is added meanwhile for a tick not past the horizon is an arrival and
     * waits for the next moveTo(), so the nodes to fire come to an end even if each is added again with no delay.
     *
     * Order. The nodes of one tick are sorted by deadline when it is reached. Lists are in order of start and the sort is
     * stable, so nodes of one deadline stay in that order. Of two such nodes, one in slots and one in arrivals, the first
     * was started before the horizon reached their tick and the second after; near takes arrivals as the later ones.
     */

    private final long originNanos;
    private final long tickNanos;
    private final TimerSlots slots;
    private final TimerList near = new TimerList(-1);
    private final TimerList arrivals = new TimerList(-1);

    /** Not later than any deadline among the arrivals; a node that leaves does not correct it. */
    private long arrivalsDeadlineMin;

    private long nowNanos;
    private long horizonTick;
    private int size;

    TimerSet(long nowNanos, long tickNanos, int slotBits) {
        this.originNanos = nowNanos;
        this.nowNanos = nowNanos;
        this.tickNanos = tickNanos;
        this.slots = new TimerSlots(nowNanos, tickNanos, slotBits);
    }

    int size() {
        return size;
    }

    /** Adds a node and returns the tick its deadline lies in. */
    long add(TimerNode node, long deadlineNanos) {
        node.deadlineNanos = deadlineNanos;
        size++;
        long tick = slots.tickOf(deadlineNanos);
        if (tick > horizonTick) {
            slots.add(node, tick);
        } else {
            if (arrivals.isEmpty() || deadlineNanos - arrivalsDeadlineMin < 0) {
                arrivalsDeadlineMin = deadlineNanos;
            }
            arrivals.addLast(node);
        }
        return tick;
    }

    /** Removes a node, which must be in this set. */
    void remove(TimerNode node) {
        TimerNode neighbour = node.next;
        node.unlink();
        size--;
        if (neighbour instanceof TimerList list && list.isEmpty()) {
            slots.emptied(list);
        }
    }

    /** Moves time on, unless it is there already. What has been added until now, and is due by then, may fire. */
    void moveTo(long nowNanos) {
        if (nowNanos - this.nowNanos > 0) {
            this.nowNanos = nowNanos;
            horizonTick = slots.tickOf(nowNanos);
        }
        near.mergeSorted(arrivals);
    }

    /** Returns the node to fire next, or null: then there is none, or {@link #step()} must look further. */
    @Nullable
    TimerNode firstDue() {
        TimerNode first = near.first();
        return near.isEmpty() || first.deadlineNanos - nowNanos > 0 ? null : first;
    }

    /** Looks further for nodes to fire: a limited piece of work. False if there was nothing left to look at. */
    boolean step() {
        return slots.stepTowards(horizonTick, near);
    }

    /** Returns a node, or null if there is none. */
    @Nullable
    TimerNode any() {
        if (!near.isEmpty()) {
            return near.first();
        }
        return arrivals.isEmpty() ? slots.any() : arrivals.first();
    }

    /** Returns a time not later than any deadline, as far as it is known without a search. For a set that is not empty. */
    long nextDeadlineNanos() {
        // Relative to the origin, so that times compare as numbers; a deadline before it is negative.
        long tick = slots.nextTick();
        long next = tick == TimerSlots.NONE ? Long.MAX_VALUE : tick * tickNanos;
        if (!near.isEmpty()) {
            next = Math.min(next, near.first().deadlineNanos - originNanos);
        }
        if (!arrivals.isEmpty()) {
            next = Math.min(next, arrivalsDeadlineMin - originNanos);
        }
        return originNanos + next;
    }

    /** Returns the tick of {@link #nextDeadlineNanos()}, or {@link TimerSlots#NONE} if this set is empty. */
    long nextTick() {
        return size == 0 ? TimerSlots.NONE : slots.tickOf(nextDeadlineNanos());
    }

    /** Returns the time at which a tick is over. */
    long endNanos(long tick) {
        boolean last = tick >= Long.MAX_VALUE / tickNanos;
        return originNanos + (last ? Long.MAX_VALUE : (tick + 1) * tickNanos);
    }

    @Override
    public String toString() {
        return "size=" + size + ", tickNanos=" + tickNanos + ", horizonTick=" + horizonTick;
    }
}

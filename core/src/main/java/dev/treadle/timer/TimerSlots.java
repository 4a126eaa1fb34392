// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import org.jspecify.annotations.Nullable;

/**
 * The levels and slots in which the nodes of a wheel wait for their tick. Not thread-safe: the lock of the wheel guards
 * it.
 */
final class TimerSlots {
    /*
     * Time is counted in ticks since the origin. A tick is a number of slotBits-wide digits, and each level stands for
     * one digit:
     *
     *   level 0   64 slots of 1 tick          the digit of weight 1
     *   level 1   64 slots of 64 ticks        the digit of weight 64
     *   level 2   64 slots of 4,096 ticks     ...
     *
     * A node waits at the level of the highest digit in which its tick differs from elapsedTick, in the slot of that
     * digit's value. There are as many levels as the largest tick has digits, so that every deadline has a slot and no
     * overflow list is needed (8 levels of 64 slots at 1 ms, about 20 kB).
     *
     * What follows from it, for a node at a level:
     *   (1) its higher digits equal those of elapsedTick, and its own digit is larger (or equal at level 0, while the
     *       nodes of elapsedTick itself are on their way). So a slot never holds nodes of two rounds, and all of its
     *       nodes are due between its first tick and the next slot's;
     *   (2) all nodes of a lower level come before all nodes of a higher one, so the next slot is the first occupied
     *       one of the lowest occupied level: one look at a 64-bit map per level;
     *   (3) elapsedTick may jump to any tick that is not past the first tick of the next slot, without touching a node:
     *       no digit at or above a node's level changes but to approach its own.
     *
     * When elapsedTick enters a slot of level 0, its nodes are handed to the wheel. When it enters a slot of a higher
     * level, that slot is drained: its nodes now differ from elapsedTick in a lower digit only and are filed again,
     * DRAIN_BATCH_MAX at a time so that the lock is never held for long. Between two batches (2) does not hold, so a
     * slot being drained is the next slot until it is empty.
     *
     * Start order. Each list is in the order in which its nodes were started. A drain keeps it so: it takes nodes from
     * the end and files them at the front. Whatever is in a target slot by then was started after elapsedTick entered
     * the drained slot, hence after all of its nodes.
     */

    /** Nodes filed again under one hold of the lock. A guess: some 10 µs when none of them is in the cache. */
    static final int DRAIN_BATCH_MAX = 256;

    static final int SLOT_BITS_MAX = 6;

    /** What {@link #nextTick()} returns if no node waits; later than every tick. */
    static final long NONE = Long.MAX_VALUE;

    private final long originNanos;
    private final long tickNanos;
    private final int slotBits;
    private final int levels;
    private final TimerList[] lists;
    private final long[] occupied;

    private long elapsedTick;
    private int drainedIndex = -1;

    TimerSlots(long originNanos, long tickNanos, int slotBits) {
        this.originNanos = originNanos;
        this.tickNanos = tickNanos;
        this.slotBits = slotBits;
        int tickBits = Long.SIZE - Long.numberOfLeadingZeros(Long.MAX_VALUE / tickNanos);
        this.levels = (tickBits + slotBits - 1) / slotBits;
        this.lists = new TimerList[levels << slotBits];
        this.occupied = new long[levels];
        for (int i = 0; i < lists.length; i++) {
            lists[i] = new TimerList(i);
        }
    }

    /** Returns the tick a time lies in; what lies before the origin is taken to the first tick. */
    long tickOf(long nanos) {
        long sinceOrigin = nanos - originNanos;
        return sinceOrigin <= 0 ? 0 : sinceOrigin / tickNanos;
    }

    /** Adds a node whose tick has not begun. */
    void add(TimerNode node, long tick) {
        listFor(tick).addLast(node);
    }

    /** To be called when a list has become empty because a node left it. */
    void emptied(TimerList list) {
        int index = list.index;
        if (index >= 0) {
            occupied[index >> slotBits] &= ~(1L << (index & slotMask()));
        }
        if (index == drainedIndex) {
            drainedIndex = -1;
        }
    }

    /** Returns the first tick of the next slot, which is not later than that of any node; {@link #NONE} if none. */
    long nextTick() {
        int index = nextIndex();
        return index < 0 ? NONE : firstTick(index);
    }

    /**
     * Moves time on to the next slot and empties it: a tick's nodes into {@code near}, a longer slot's into slots below.
     *
     * @return false if no slot begins until {@code horizonTick}; time is then there
     */
    boolean stepTowards(long horizonTick, TimerList near) {
        int index = nextIndex();
        if (index < 0 || firstTick(index) > horizonTick) {
            elapsedTick = Math.max(elapsedTick, horizonTick);
            return false;
        }
        elapsedTick = Math.max(elapsedTick, firstTick(index));
        if (index >> slotBits == 0) {
            near.mergeSorted(lists[index]);
            emptied(lists[index]);
        } else {
            drain(lists[index]);
        }
        return true;
    }

    private void drain(TimerList list) {
        drainedIndex = list.index;
        for (int i = 0; i < DRAIN_BATCH_MAX && !list.isEmpty(); i++) {
            TimerNode node = list.last();
            node.unlink();
            listFor(tickOf(node.deadlineNanos)).addFirst(node);
        }
        if (list.isEmpty()) {
            emptied(list);
        }
    }

    /** Returns the list a node of this tick belongs in, marked as occupied: the caller adds to it. */
    private TimerList listFor(long tick) {
        assert tick >= elapsedTick : "tick " + tick + " is over, time is at " + elapsedTick;
        int highestBit = Long.SIZE - 1 - Long.numberOfLeadingZeros((tick ^ elapsedTick) | 1);
        int level = highestBit / slotBits;
        int slot = (int) (tick >>> (level * slotBits)) & slotMask();
        occupied[level] |= 1L << slot;
        return lists[(level << slotBits) + slot];
    }

    private int nextIndex() {
        if (drainedIndex >= 0) {
            return drainedIndex;
        }
        for (int level = 0; level < levels; level++) {
            if (occupied[level] != 0) {
                return (level << slotBits) + Long.numberOfTrailingZeros(occupied[level]);
            }
        }
        return -1;
    }

    private long firstTick(int index) {
        int shift = (index >> slotBits) * slotBits;
        int shiftAbove = shift + slotBits;
        long above = shiftAbove >= Long.SIZE ? 0 : elapsedTick >>> shiftAbove << shiftAbove;
        return above | (long) (index & slotMask()) << shift;
    }

    private int slotMask() {
        return (1 << slotBits) - 1;
    }

    /** Returns a node, or null if there is none. */
    @Nullable
    TimerNode any() {
        int index = nextIndex();
        return index < 0 ? null : lists[index].first();
    }
}

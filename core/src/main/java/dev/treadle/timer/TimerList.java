// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import java.util.Arrays;

/**
 * A list of timer nodes, linked through the nodes themselves. Not thread-safe: the lock of the wheel guards it.
 *
 * <p>The list is a ring in which the list object itself is both ends, so that a node can leave in constant time without
 * knowing which list it is in.
 */
final class TimerList extends TimerNode {
    private static final int RUNS_MAX = 32;

    /** Where this list stands in {@link TimerSlots}; negative if it is no slot. */
    final int index;

    TimerList(int index) {
        this.index = index;
    }

    boolean isEmpty() {
        return next == this;
    }

    /** The first node, or this list itself if it is empty. */
    TimerNode first() {
        return next;
    }

    /** The last node, or this list itself if it is empty. */
    TimerNode last() {
        return prev;
    }

    void addFirst(TimerNode node) {
        link(this, node, next);
    }

    void addLast(TimerNode node) {
        link(prev, node, this);
    }

    private static void link(TimerNode before, TimerNode node, TimerNode after) {
        node.prev = before;
        node.next = after;
        before.next = node;
        after.prev = node;
    }

    /**
     * Moves all of {@code later} into this list, which is ordered by deadline and stays so. Among nodes of one deadline
     * those already here come first, and those of {@code later} keep their order.
     *
     * <p>Linear if {@code later} is nearly in order, as it is when timers of one delay are started one after the other.
     */
    void mergeSorted(TimerList later) {
        if (later.isEmpty()) {
            return;
        }
        later.sort();
        boolean behind = isEmpty() || later.first().deadlineNanos - last().deadlineNanos >= 0;
        TimerNode chain = later.detach(this);
        if (behind) {
            last().next = chain;
            restorePrev(last());
        } else {
            merge(next, chain);
            restorePrev(this);
        }
    }

    /** Makes this list empty and returns its nodes as a chain of {@code next} links that ends at {@code end}. */
    private TimerNode detach(TimerList end) {
        TimerNode chain = next;
        prev.next = end;
        prev = this;
        next = this;
        return chain;
    }

    /*
     * A natural merge sort. runs[i] holds 2^i merged runs or is empty (this), like the bits of a counter; an occupied
     * runs[i] is always earlier in the list than what is merged into it, which makes the sort stable.
     */
    private void sort() {
        TimerNode end = runEnd(next);
        if (end.next == this) {
            return;
        }
        TimerNode[] runs = new TimerNode[RUNS_MAX];
        Arrays.fill(runs, this);
        TimerNode rest = next;
        while (rest != this) {
            TimerNode run = rest;
            end = runEnd(run);
            rest = end.next;
            end.next = this;
            int i = 0;
            for (; runs[i] != this; i++) {
                run = merge(runs[i], run);
                runs[i] = this;
            }
            runs[i] = run;
        }
        TimerNode sorted = this;
        for (TimerNode run : runs) {
            sorted = merge(run, sorted);
        }
        next = sorted;
        restorePrev(this);
    }

    /** Returns the last node of the run, in order of deadline, that begins at {@code node}. */
    private TimerNode runEnd(TimerNode node) {
        TimerNode end = node;
        while (end.next != this && end.next.deadlineNanos - end.deadlineNanos >= 0) {
            end = end.next;
        }
        return end;
    }

    /** Merges two ordered chains that end at this list, hangs the result behind it, and returns its first node. */
    private TimerNode merge(TimerNode early, TimerNode late) {
        TimerNode tail = this;
        while (early != this && late != this) {
            if (late.deadlineNanos - early.deadlineNanos < 0) {
                tail.next = late;
                tail = late;
                late = late.next;
            } else {
                tail.next = early;
                tail = early;
                early = early.next;
            }
        }
        tail.next = early != this ? early : late;
        return next;
    }

    /** Sets the {@code prev} links behind {@code from} to match the {@code next} links. */
    private void restorePrev(TimerNode from) {
        TimerNode before = from;
        for (TimerNode node = from.next; node != this; node = node.next) {
            node.prev = before;
            before = node;
        }
        prev = before;
    }

    @Override
    protected void fire() {
        throw new AssertionError("a list was fired: it is no timer");
    }
}

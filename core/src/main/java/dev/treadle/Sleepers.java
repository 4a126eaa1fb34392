// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The workers that sleep, and how many search: decides who wakes whom, and that nobody sleeps while work waits.
 *
 * <p>The rule against lost wake-ups is written here once; {@link WorkerGroup} and {@link WorkSearch} link to it.
 */
final class Sleepers {
    /*
     * One word:
     *
     *   63 ...... 32 | 31 ..... 16 | 15 .................. 0
     *   version      | searching   | top of the stack of sleepers, as index + 1; 0 if nobody sleeps
     *
     * below[i] is the sleeper under i. A worker pushes itself; a waker pops the top, the one whose caches are warmest.
     * The version changes with each push, so that a pop which has read a below[] that is out of date fails.
     *
     *   running --tryStartSearching--> searching --stopSearching (found work)--> running
     *                                      |  ^
     *                              announce|  |claim (by a waker, who counts the sleeper as searching)
     *                                      v  |
     *                                     asleep
     *
     * The rule.
     *   Whoever makes work:  1 put it in a queue;   2 full fence;  3 claim(): if nobody searches, wake a sleeper.
     *   Whoever goes to sleep:  1 announce();  2 full fence (the compare-and-set);  3 look at all queues once more, and
     *     if there is work anywhere, claim() and wake whoever that gives, maybe oneself;  4 park.
     *   Whoever stops searching because it found work, and was the last:  1 stopSearching();  2 full fence (the addition);
     *     3 look at all queues, and if there is work anywhere, claim().
     *
     * Why no work is left alone while somebody sleeps. Take an item whose maker saw, in claim(), that somebody searches,
     * and look at the last one to search after that. It stops in one of two ways, by finding work or by going to sleep. In
     * both it is no longer counted after the item was put in, so its step 3 finds the item, unless somebody has taken it,
     * and it calls claim() with nobody searching: it wakes somebody, who searches, so it was not the last. And if the maker
     * saw nobody searching and nobody asleep: whoever goes to sleep later looks at all queues in step 3.
     * Between the maker's 1 and 3 and the other's 1 and 3 there are full fences, so it cannot be that the maker still sees a
     * searcher, or does not yet see a sleeper, and that one misses the item (store buffering).
     *
     * A claim that finds work already taken costs a wake-up in vain, nothing else.
     *
     * Progress. Lock-free: each loop is repeated only if another thread changed the word.
     */
    static final int NOBODY = -1;

    private static final int FIELD_MASK = 0xffff;
    private static final int SEARCHING_SHIFT = 16;
    private static final long SEARCHER = 1L << SEARCHING_SHIFT;
    private static final long VERSION = 1L << 32;

    /** How many workers there can be: what the fields of the word hold. */
    static final int WORKERS_MAX = FIELD_MASK - 1;

    private static final VarHandle WORD =
            fieldVarHandle(MethodHandles.lookup(), "word", VarHandle.class, Sleepers.class, long.class);

    /** Written by the sleeper before it is on the stack; a stale read is caught by the version. */
    private final int[] below;

    private final int searchersMax;
    private volatile long word;

    /**
     * Takes how many workers there can be, and how many there are usually: at most half of those search at a time,
     * because more of them would only get in each other's way.
     */
    Sleepers(int capacity, int workers) {
        below = new int[capacity];
        searchersMax = Math.max(1, workers / 2);
    }

    /** A worker that runs out of work. Returns false if enough others search already. */
    @CheckReturnValue
    boolean tryStartSearching() {
        while (true) {
            long before = word;
            if (searching(before) >= searchersMax) {
                return false;
            }
            if (WORD.compareAndSet(this, before, before + SEARCHER)) {
                return true;
            }
        }
    }

    /** A searching worker that found work. Returns true if it was the last: it must then look at all queues. */
    @CheckReturnValue
    boolean stopSearching() {
        long before = (long) WORD.getAndAdd(this, -SEARCHER);
        assert searching(before) > 0 : "stopped searching without having started";
        return searching(before) == 1;
    }

    /**
     * A worker that goes to sleep; from now on it may be woken. It must look at all queues once more before it parks.
     *
     * @param searching whether the worker was searching, which it no longer is after this
     */
    void announce(int worker, boolean searching) {
        while (true) {
            long before = word;
            below[worker] = top(before);
            long after = ((before & ~(long) FIELD_MASK) | (worker + 1)) + VERSION - (searching ? SEARCHER : 0);
            if (WORD.compareAndSet(this, before, after)) {
                return;
            }
        }
    }

    /** Any thread. Whether {@link #claim} would find a sleeper at this moment: somebody sleeps, and nobody searches. */
    boolean hasClaimable() {
        long now = word;
        return top(now) != 0 && searching(now) == 0;
    }

    /**
     * Any thread that made work, after a full fence. Takes a sleeper off the list if nobody searches, and counts it as
     * searching.
     *
     * @return the worker that the caller must unpark, or {@link #NOBODY}
     */
    @CheckReturnValue
    int claim() {
        long before = word;
        while (top(before) != 0 && searching(before) == 0) {
            int worker = top(before) - 1;
            long after = ((before & ~(long) FIELD_MASK) | below[worker]) + SEARCHER;
            long seen = (long) WORD.compareAndExchange(this, before, after);
            if (seen == before) {
                return worker;
            }
            before = seen;
        }
        return NOBODY;
    }

    /** Like {@link #claim}, but whoever searches: to wake all, at the end. */
    @CheckReturnValue
    int claimAny() {
        long before = word;
        while (top(before) != 0) {
            int worker = top(before) - 1;
            long after = ((before & ~(long) FIELD_MASK) | below[worker]) + SEARCHER;
            long seen = (long) WORD.compareAndExchange(this, before, after);
            if (seen == before) {
                return worker;
            }
            before = seen;
        }
        return NOBODY;
    }

    /** How many sleep now. A walk of the stack, repeated until nobody came or went meanwhile; for reports and tests. */
    int asleep() {
        while (true) {
            long before = word;
            int count = 0;
            for (int top = top(before); top != 0 && count <= below.length; top = below[top - 1]) {
                count++;
            }
            if (word == before) {
                return count;
            }
        }
    }

    private static int top(long word) {
        return (int) word & FIELD_MASK;
    }

    private static int searching(long word) {
        return (int) (word >>> SEARCHING_SHIFT) & FIELD_MASK;
    }

    @Override
    public String toString() {
        long word = this.word;
        return "Sleepers[" + searching(word) + " searching, "
                + (top(word) == 0 ? "nobody asleep" : "worker " + (top(word) - 1) + " on top") + "]";
    }
}

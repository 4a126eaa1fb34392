// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/**
 * How long a worker that has nothing to do leaves the others' queues alone, by what its last haul was worth. The worker's
 * own.
 */
final class StealPace {
    /*
     * What a thief takes comes from the caches of another processor, and so does most of what it then sends to. If a turn
     * takes some ten nanoseconds where the process was, it takes several hundred here, and slows down the one that was stolen
     * from as well: two workers then do less than one. That shows in what a haul gives: a few short turns, and the thief is
     * out of work again. A haul is worth it if its turns are long, so that the way is a small part of them, or if it keeps
     * the thief busy for long, because what it woke stays with it.
     *
     * After a haul that was not, the thief rests before it steals again, twice as long each time. It does not sleep, and looks
     * at its own queues and the global one meanwhile: only what others hold waits, for REST_NANOS_MAX at the most.
     */

    /** A haul whose turns take this long was worth it. By hauls of chameneos, 360 ns a turn, which should have stayed. */
    static final long TURN_WORTH_NANOS = 1_000;

    /** A haul that keeps the thief busy for this long was worth it. */
    static final long HAUL_WORTH_NANOS = 100_000;

    /** The rest after the first haul that was not worth it. */
    static final long REST_NANOS_MIN = 5_000;

    /** The longest rest: as long as anything else may wait for a look. */
    static final long REST_NANOS_MAX = WorkerQueues.LOOK_NANOS;

    private boolean hauled;
    private long hauledNanos;
    private long turnsBefore;
    private long restNanos;

    /** Notes that it has stolen something. */
    void hauled(long nowNanos, long turns) {
        hauled = true;
        hauledNanos = nowNanos;
        turnsBefore = turns;
    }

    /** Notes that it has slept: what was known of hauls is old. */
    void slept() {
        restNanos = 0;
    }

    /** Whether it has stolen since it last ran out of work; only then the clock is needed. */
    boolean hasHauled() {
        return hauled;
    }

    /**
     * Notes that it is out of work again.
     *
     * @return how long to rest before it steals again; 0 if the last haul was worth it
     */
    long restNanos(long nowNanos, long turns) {
        long busyNanos = nowNanos - hauledNanos;
        boolean worth = busyNanos >= HAUL_WORTH_NANOS || busyNanos >= (turns - turnsBefore) * TURN_WORTH_NANOS;
        hauled = false;
        restNanos = worth ? 0 : Math.min(REST_NANOS_MAX, Math.max(REST_NANOS_MIN, 2 * restNanos));
        return restNanos;
    }
}

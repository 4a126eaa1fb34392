// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/**
 * A scheduler that has no threads: whoever holds it decides which worker runs next, and when time passes. All else is
 * the scheduler's own code, so what a test sees here is what runs in production.
 *
 * <p>Not safe for use by several threads, except for what {@link #scheduler()} offers.
 */
public final class SteppedScheduler implements AutoCloseable {
    private final Scheduler scheduler;

    SteppedScheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Returns the scheduler, to submit to and to send to. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /** Returns how many workers there are. */
    public int workers() {
        return scheduler.config.workers();
    }

    /**
     * Lets a worker find one process, in the order that it always does, and run one turn of it.
     *
     * @param worker which, from 0
     * @return false if it found none
     * @throws IllegalArgumentException if there is no such worker
     */
    public boolean runOne(int worker) {
        if (worker < 0 || worker >= workers()) {
            throw new IllegalArgumentException("worker was " + worker + ", must be 0 to " + (workers() - 1)
                    + ": set the number of workers in the builder");
        }
        return scheduler.group.workers()[worker].runOne();
    }

    /** Lets the workers take turns until none finds a process. Returns how many turns were run. */
    public long runAll() {
        return scheduler.group.runAll();
    }

    /** Fires the timers that are due by now, in the scheduler's {@link TimeSource}. Returns how many. */
    public int fireTimers() {
        return scheduler.timers.fireDue();
    }

    /** Returns when the next timer is due, in nanoseconds of the {@link TimeSource}; Long.MAX_VALUE if there is none. */
    public long nextTimerNanos() {
        return scheduler.timers.nextDeadlineNanos();
    }

    /** Ends all processes, after they were asked to, and runs until none is left that can go on. */
    @Override
    public void close() {
        scheduler.close();
    }
}

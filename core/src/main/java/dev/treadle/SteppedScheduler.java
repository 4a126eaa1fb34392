// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.function.BooleanSupplier;

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
        scheduler.group.putBack();
        return worker(worker).runOne();
    }

    private Worker worker(int worker) {
        if (worker < 0 || worker >= workers()) {
            throw new IllegalArgumentException("worker was " + worker + ", must be 0 to " + (workers() - 1)
                    + ": set the number of workers in the builder");
        }
        return scheduler.group.workers()[worker];
    }

    /** Lets the workers take turns until none finds a process. Returns how many turns were run. */
    public long runAll() {
        return scheduler.group.runAll();
    }

    /** Returns how many processes are ready. From then until the next turn, they have an index from 0. */
    public int ready() {
        return scheduler.group.gather().size();
    }

    /**
     * Returns one of the processes that are ready.
     *
     * @param index which of them, below what {@link #ready()} returned; 0 is the one that was found first
     */
    public Pid ready(int index) {
        return scheduler.group.gather().get(index).self();
    }

    /**
     * Lets a worker run one turn of a process that is ready, whichever the worker would have found.
     *
     * @param worker which worker, from 0
     * @param index which process, below what {@link #ready()} returned
     * @throws IllegalArgumentException if there is no such worker
     */
    public void run(int worker, int index) {
        Worker chosen = worker(worker);
        OwnThreads.refuseToBlock("run a turn inside of another"); // before it is taken out, or it would be lost
        chosen.runThis(scheduler.group.gather().remove(index));
    }

    /** Returns how many timers are due by now and were not fired yet. Those can no longer be cancelled. */
    public int dueTimers() {
        return scheduler.timers.claimDue();
    }

    /**
     * Fires one of the timers that are due.
     *
     * @param index which, below what {@link #dueTimers} returned; 0 is the one with the earliest deadline
     */
    public void fireTimer(int index) {
        scheduler.timers.fire(index);
    }

    /**
     * Lets the {@link Director} take turns until a condition holds, or nothing can happen any more, or the time is up.
     *
     * @return whether the condition holds; false at once if there is no director
     */
    public boolean awaitDirected(BooleanSupplier condition, Duration timeout) {
        Director director = scheduler.config.director();
        if (director == null) {
            return false;
        }
        long untilNanos = scheduler.config.time().nanos() + Durations.nanosFromZero("timeout", timeout);
        boolean goesOn = true;
        while (goesOn && !condition.getAsBoolean()) {
            goesOn = director.turn(untilNanos);
        }
        return condition.getAsBoolean();
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

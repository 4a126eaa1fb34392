// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Checks a scheduler while it runs, with {@code -Dtreadle.check=true}: that each ready process is in one queue, once; that
 * none is lost; that nobody sleeps while work waits; that its counts are right at the end. The first violation is
 * reported in the log, stops the scheduler without waiting, and is thrown by its shutdown.
 */
final class Invariants {
    /*
     * ProcessCell has a byte that says whether the cell is in a work queue. Whoever pushes a process raises it just
     * before, the worker that runs it lowers it; both by compare-and-set, so a process that is pushed twice, taken twice or
     * run without having been pushed is caught there and then, and a second run is prevented. On its way from one queue to
     * another a process counts as queued.
     *
     * What does not happen is seen by an InvariantChecker, a thread that looks now and then. The compare-and-set comes
     * before the push, not between the push and the look for sleepers, so it does not stand in for the fence there.
     *
     * When off, ON is a constant and the JIT leaves all of this out.
     */
    static final boolean ON = Boolean.getBoolean("treadle.check");

    private static final byte NOT_QUEUED = 0;
    private static final byte QUEUED = 1;

    private static final VarHandle VIOLATION =
            fieldVarHandle(MethodHandles.lookup(), "violation", VarHandle.class, Invariants.class, String.class);

    private final Scheduler scheduler;

    /** How many threads are inside of submit: their processes may be counted in one place and not yet in another. */
    private final AtomicInteger submitting = new AtomicInteger();

    private volatile @Nullable String violation;
    private volatile @Nullable InvariantChecker checker;

    Invariants(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Starts the thread that looks, unless there is nothing to look at or the scheduler is a model checker's. */
    void start(boolean threaded) {
        Duration limit = scheduler.config.checkLimit();
        if (ON && threaded && !limit.isZero()) {
            checker = InvariantChecker.start(scheduler, this, limit.toNanos());
        }
    }

    /** The one who shuts down, before the workers are told to end. */
    void stop(Duration timeout) {
        InvariantChecker checker = this.checker;
        if (checker != null) {
            checker.stop(timeout);
        }
    }

    // Where processes go in and out of queues.

    /** Any thread that is about to push a process to a work queue, not from another one. */
    static void pushed(ProcessCell cell) {
        if (ON) {
            if (!cell.casQueued(NOT_QUEUED, QUEUED)) {
                cell.scheduler.invariants.violated(cell, "was pushed while it is in a queue: it would be in two");
            } else if (!isReady(cell) && !isEndedByShutdown(cell)) {
                cell.scheduler.invariants.violated(cell, "was pushed although it is not ready");
            }
        }
    }

    /** A worker, of a process whose push was cut off by a stack that overflowed, before or after {@link #pushed}. */
    static void pushedAfterAll(ProcessCell cell) {
        if (ON && !cell.isQueued()) {
            pushed(cell);
        }
    }

    /** A worker that is about to run a process. Returns false if it must not. */
    @CheckReturnValue
    static boolean taken(ProcessCell cell) {
        if (!ON) {
            return true;
        }
        if (!cell.casQueued(QUEUED, NOT_QUEUED)) {
            cell.scheduler.invariants.violated(cell, "was taken to be run without having been queued, or twice");
            return false;
        }
        if (isReady(cell)) {
            return true;
        }
        if (!isEndedByShutdown(cell)) {
            cell.scheduler.invariants.violated(cell, "was taken to be run although it is not ready");
        }
        return false;
    }

    /** The one who shuts down, who empties the queues. */
    static void dropped(@Nullable ProcessCell cell) {
        if (ON && cell != null && !cell.casQueued(QUEUED, NOT_QUEUED)) {
            cell.scheduler.invariants.violated(
                    cell, "was found in a queue at the end without having been queued, or twice");
        }
    }

    private static boolean isReady(ProcessCell cell) {
        return ProcessState.state(cell.word()) == ProcessState.READY;
    }

    /**
     * Whether it may be complete and in a queue: a shutdown that has run out of time ends what is left wherever it is, also
     * between the hands of a thread that the machine does not let run. Such a thread may then hand out a message that the
     * shutdown has reported as a dead letter.
     */
    private static boolean isEndedByShutdown(ProcessCell cell) {
        return ProcessState.state(cell.word()) == ProcessState.COMPLETE && cell.scheduler.isStopping();
    }

    // Counts.

    /** A thread that starts a process, before it looks whether the scheduler is stopping. */
    void beginSubmission() {
        submitting.incrementAndGet();
    }

    /** The same thread, when the process has started or was refused. */
    void endSubmission() {
        submitting.decrementAndGet();
    }

    /**
     * The one who shuts down, when all processes have ended and all who wait for them were told. While a submission is
     * under way it cannot be said what the counts should be.
     */
    void recount() {
        if (ON && submitting.get() == 0) {
            String problem = scheduler.table.recount();
            if (problem != null) {
                violated(null, "the table of processes is wrong at the end: " + problem);
            }
            SchedulerStats stats = scheduler.stats();
            if (stats.submitted() != stats.completed()) {
                violated(
                        null,
                        stats.submitted() + " processes were started and " + stats.completed()
                                + " have ended, and none is left");
            }
        }
    }

    // Violations.

    /** Any thread. The first one counts. */
    void violated(@Nullable ProcessCell cell, String what) {
        if (isViolated()) {
            return;
        }
        String report = "scheduler \"" + scheduler.config.name() + "\" violates an invariant and is stopped: "
                + (cell == null ? "" : "process " + cell.self() + " ") + what + InvariantReport.of(scheduler, cell);
        if (VIOLATION.compareAndSet(this, null, report)) {
            scheduler.listeners.error(report);
            InvariantChecker checker = this.checker;
            if (checker != null) {
                checker.wake();
            }
        }
    }

    /** Any thread. */
    boolean isViolated() {
        return violation != null;
    }

    /** Whoever has shut the scheduler down. */
    void throwIfViolated() {
        String report = violation;
        if (report != null) {
            throw new IllegalStateException(report);
        }
    }
}

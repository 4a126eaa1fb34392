// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a running scheduler now and then, for what must not last: a process that is ready and nowhere, and one that
 * waits in a queue while workers sleep.
 */
final class InvariantChecker implements Runnable {
    /*
     * Both happen for a moment all the time: between the compare-and-set that makes a process ready and the push after it,
     * between the push and the wake-up. A busy machine can stretch such a moment to seconds. So a process is reported only
     * when each look over a long time finds it like that, with no step in between. That a machine stood still does no
     * harm: looks are counted too.
     *
     * The wait in a queue is of one process, not of "some work": a worker that never rests and shares nothing has always
     * something in its queue, and others may rightly sleep.
     */

    /** How long a violation must last; generous, since tests run on machines that do a lot else. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private static final int LOOKS_PER_LIMIT = 10;

    private final Scheduler scheduler;
    private final Invariants invariants;
    private final long limitNanos;
    private final Thread thread;
    private volatile boolean stopped;

    // The thread's own.
    private Map<ProcessCell, Seen> nowhere = new HashMap<>();
    private Map<ProcessCell, Seen> waiting = new HashMap<>();

    /** How a process was found at first, and how often since. */
    private record Seen(long steps, long sinceNanos, int looks) {}

    private InvariantChecker(Scheduler scheduler, Invariants invariants, long limitNanos) {
        this.scheduler = scheduler;
        this.invariants = invariants;
        this.limitNanos = limitNanos;
        this.thread = new NamedThreads("treadle-" + scheduler.config.name() + "-checker-").newThread(this);
    }

    static InvariantChecker start(Scheduler scheduler, Invariants invariants, long limitNanos) {
        var checker = new InvariantChecker(scheduler, invariants, limitNanos);
        checker.thread.start();
        return checker;
    }

    /** Any thread that found a violation: lets this one stop the scheduler. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** The one who shuts down: ends the thread, and waits for that. */
    void stop(Duration timeout) {
        stopped = true;
        LockSupport.unpark(thread);
        Threads.join(thread, timeout);
    }

    @Override
    public void run() {
        while (!stopped && !invariants.isViolated()) {
            look();
            if (!invariants.isViolated()) {
                LockSupport.parkNanos(this, limitNanos / LOOKS_PER_LIMIT);
                Thread.interrupted();
            }
        }
        nowhere = Map.of();
        waiting = Map.of();
        if (invariants.isViolated() && !scheduler.isStopping()) {
            scheduler.stopAtOnce();
        }
    }

    private void look() {
        var nowhereNow = new HashMap<ProcessCell, Seen>();
        var waitingNow = new HashMap<ProcessCell, Seen>();
        boolean wakers = scheduler.group.sleepers.hasClaimable();
        boolean crowd = isAnyLast();
        long now = System.nanoTime();
        for (int part = 0; part < scheduler.table.parts() && !stopped; part++) {
            for (ProcessCell cell : scheduler.table.part(part)) {
                if (ProcessState.state(cell.word()) != ProcessState.READY) {
                    continue;
                }
                if (cell.isQueued()) {
                    if (wakers && !crowd && !isRun(cell)) {
                        waitingNow.put(cell, seen(cell, waiting.get(cell), now));
                    }
                } else if (!isRun(cell)) {
                    nowhereNow.put(cell, seen(cell, nowhere.get(cell), now));
                }
            }
        }
        nowhere = nowhereNow;
        waiting = crowd ? waiting : waitingNow;
        report(nowhereNow, now, "is ready, but in no queue, and no worker runs it: it is lost. It was found so for ");
        report(waitingNow, now, "waits in a queue while a worker sleeps and nobody searches. It was found so for ");
    }

    /** Those that fill crowded mailboxes wait for their own worker, however long that takes, while others sleep. */
    private boolean isAnyLast() {
        for (Worker worker : scheduler.group.workers()) {
            if (worker.queues.hasLast()) {
                return true;
            }
        }
        return false;
    }

    private boolean isRun(ProcessCell cell) {
        for (Worker worker : scheduler.group.workers()) {
            if (worker.runningAcquire() == cell) {
                return true;
            }
        }
        return false;
    }

    private static Seen seen(ProcessCell cell, @Nullable Seen before, long now) {
        long steps = cell.steps();
        return before == null || before.steps() != steps
                ? new Seen(steps, now, 1)
                : new Seen(steps, before.sinceNanos(), before.looks() + 1);
    }

    private void report(Map<ProcessCell, Seen> all, long now, String what) {
        all.forEach((cell, seen) -> {
            long nanos = now - seen.sinceNanos();
            if (nanos >= limitNanos && seen.looks() >= LOOKS_PER_LIMIT / 2 && !stopped) {
                invariants.violated(cell, what + Duration.ofNanos(nanos).toMillis() + " ms");
            }
        });
    }
}

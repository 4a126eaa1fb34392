// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Ends a scheduler, in a bounded time whatever user code does. */
final class Shutdown {
    /*
     *   ask     no more submissions, no more messages from outside; every process gets a cancel signal
     *   wait    until no process is left, or nothing can happen any more, or the time is up
     *   kill    what is left ends at its next step boundary; threads held in user code are interrupted
     *   halt    workers take no more turns, their threads end; those that do not are named in the report
     *   close   what no worker got to is closed by a thread made for it
     *   clear   nothing stays referenced
     *
     * The wait ends early when all workers sleep, all queues are empty, no timer is set and no process has a yield in
     * flight. Whoever is left then waits for messages that only a process could send, and none of them will ever run
     * again. Without this a process that ignores its cancel signal would cost every shutdown the whole timeout.
     *
     * All that comes after the wait shares one second: FORCE, HALT and CLOSE, and CLEAR five times, for the watchdog, the
     * checker of invariants, the teller, the timers and the threads of blocking calls.
     *
     * Blocking calls are told to stop when their processes end, and come last: they get what is left of the timeout and of
     * that second. A query that is being cancelled needs a moment, and its connection shall be back when this returns.
     */
    static final String REASON = "the scheduler is shutting down";

    private static final String REASON_FORCED = "not ended when the scheduler had shut down";

    private static final long FORCE_NANOS = TimeUnit.MILLISECONDS.toNanos(450);
    private static final long HALT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** How long after the timeout blocking calls are still waited for: most of the second. */
    private static final long CALLS_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

    /** A step that has not returned for this long after its time was up is interrupted. */
    private static final long INTERRUPT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long POLL_MILLIS = 2;

    /** How many turns, for each process, a scheduler that is stepped by hand waits for its processes to end. */
    private static final long TURNS_EACH_MAX = 1000;

    private final Scheduler scheduler;
    private final BlockingThreads blockingThreads;
    private final boolean threaded;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<ShutdownReport> report = new CompletableFuture<>();
    private final Semaphore lastEnded = new Semaphore(0);
    private volatile boolean stopping;

    // Of the thread that shuts down.
    private boolean interrupted;
    private boolean countable = true;

    Shutdown(Scheduler scheduler, BlockingThreads blockingThreads, boolean threaded) {
        this.scheduler = scheduler;
        this.blockingThreads = blockingThreads;
        this.threaded = threaded;
    }

    /** Any thread. Whether submissions, and messages from outside, are refused. */
    boolean isStopping() {
        return stopping;
    }

    /** Whoever took a process off the table, when all have heard of its end. */
    void ended() {
        if (stopping && scheduler.table.size() == 0) {
            lastEnded.release();
        }
    }

    /** Any thread but a worker's. The first caller shuts down, the others wait for it. */
    ShutdownReport run(long timeoutNanos) {
        if (begun.compareAndSet(false, true)) {
            try {
                report.complete(threaded ? shutDown(timeoutNanos) : shutDownByHand(timeoutNanos));
            } catch (Throwable thrown) {
                report.completeExceptionally(thrown);
                throw thrown;
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        return report.join();
    }

    private ShutdownReport shutDown(long timeoutNanos) {
        long start = System.nanoTime();
        int alive = ask();
        boolean quiet = await(start + timeoutNanos, this::isQuiet);
        awaitTold(start + timeoutNanos);
        int left = scheduler.table.size();
        List<ShutdownReport.Stuck> stuck = List.of();
        if (left > 0) {
            // What only waits may take the rest of the timeout to be closed; with force the time is short.
            long forceNanos = quiet ? start + timeoutNanos : System.nanoTime();
            forEach(this::kill);
            awaitWithInterrupts(forceNanos);
        }
        scheduler.invariants.stop(Duration.ofNanos(CLEAR_NANOS));
        scheduler.group.watchdog.stop(Duration.ofNanos(CLEAR_NANOS));
        scheduler.group.halt();
        if (!scheduler.group.join(System.nanoTime() + HALT_NANOS / 2)) {
            scheduler.group.interrupt();
            if (!scheduler.group.join(System.nanoTime() + HALT_NANOS / 2)) {
                countable = false;
                stuck = findStuck();
            }
        }
        if (scheduler.table.size() > 0) {
            stuck = closeRest(stuck);
        }
        if (countable) {
            scheduler.invariants.recount();
        }
        var allStuck = new ArrayList<>(stuck);
        allStuck.addAll(clear(interrupted ? 0 : start + timeoutNanos + CALLS_NANOS - System.nanoTime()));
        int forced = quiet ? Math.min(left, stuck.size()) : left;
        return new ShutdownReport(
                Math.max(0, alive - left),
                left - forced,
                forced,
                List.copyOf(allStuck),
                Duration.ofNanos(System.nanoTime() - start));
    }

    private ShutdownReport shutDownByHand(long timeoutNanos) {
        TimeSource time = scheduler.config.time();
        long start = time.nanos();
        int alive = ask();
        Director director = scheduler.config.director();
        if (director == null) {
            scheduler.group.runAll(TURNS_EACH_MAX * (1L + alive)); // some may never be done
        } else {
            boolean goesOn = true;
            while (goesOn && scheduler.table.size() > 0 && time.nanos() - start < timeoutNanos) {
                goesOn = director.turn(start + timeoutNanos);
            }
            scheduler.group.putBack();
        }
        int left = scheduler.table.size();
        int forced = scheduler.group.hasReady() ? left : 0;
        forEach(this::kill);
        scheduler.group.runAll();
        scheduler.group.halt();
        // What is left was accepted while we ran, and is in no queue yet: nobody will run it any more.
        forEach(cell -> scheduler.ending.end(cell, ProcessExit.terminated(cell.self(), REASON_FORCED)));
        scheduler.invariants.recount();
        List<ShutdownReport.Stuck> stuck = clear(CALLS_NANOS);
        Duration elapsed = Duration.ofNanos(time.nanos() - start);
        return new ShutdownReport(alive - left, left - forced, forced, stuck, elapsed);
    }

    /** Returns how many processes there were. */
    private int ask() {
        stopping = true;
        scheduler.table.close();
        int alive = scheduler.table.size();
        forEach(cell -> scheduler.signalCancel(cell, REASON));
        return alive;
    }

    private void kill(ProcessCell cell) {
        if (cell.doom()) {
            // Its submitter is still in init, and will find that it is refused.
            if (scheduler.table.remove(cell)) {
                scheduler.table.unreserve();
            }
        } else {
            scheduler.kill(cell, REASON_FORCED);
        }
    }

    private void forEach(Consumer<ProcessCell> action) {
        for (int part = 0; part < scheduler.table.parts(); part++) {
            scheduler.table.part(part).forEach(action);
        }
    }

    // Waiting.

    /** Waits until there is no process, or the condition holds, or the deadline has passed; returns the condition. */
    private boolean await(long deadlineNanos, BooleanSupplier condition) {
        while (scheduler.table.size() > 0 && !interrupted && !scheduler.invariants.isViolated()) {
            if (condition.getAsBoolean()) {
                return true;
            }
            if (deadlineNanos - System.nanoTime() <= 0) {
                return false;
            }
            pause();
        }
        return scheduler.table.size() == 0;
    }

    /** The last process is off the table a moment before its listeners, and those who wait for its result, hear of it. */
    private void awaitTold(long deadlineNanos) {
        while (scheduler.table.size() == 0
                && scheduler.group.isAnyRunning()
                && !interrupted
                && deadlineNanos - System.nanoTime() > 0) {
            pause();
        }
    }

    private void pause() {
        try {
            lastEnded.tryAcquire(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true; // whoever interrupts has no more time: go on with force
        }
    }

    /** Whether nothing can happen any more: nothing runs, waits to run, or is awaited from outside. */
    private boolean isQuiet() {
        if (!scheduler.group.isQuiet() || scheduler.timers.size() > scheduler.deadlines.size()) {
            return false;
        }
        long stepsBefore = scheduler.group.steps();
        for (int part = 0; part < scheduler.table.parts(); part++) {
            for (ProcessCell cell : scheduler.table.part(part)) {
                ProcessInfo.State state = cell.state();
                boolean asleep = state == ProcessInfo.State.IDLE || state == ProcessInfo.State.BLOCKED;
                if (!asleep || cell.yieldsInFlight() > 0) {
                    return false;
                }
            }
        }
        return scheduler.group.isQuiet() && stepsBefore == scheduler.group.steps();
    }

    /** Waits for the killed processes to end, and when the time has come interrupts workers that are held up by one. */
    private void awaitWithInterrupts(long forceNanos) {
        Worker[] workers = scheduler.group.workers();
        long[] turns = new long[workers.length];
        long[] sinceNanos = new long[workers.length];
        Arrays.fill(sinceNanos, System.nanoTime());
        boolean wasInterrupted = interrupted;
        interrupted = false;
        await(forceNanos + FORCE_NANOS, () -> {
            long now = System.nanoTime();
            for (int i = 0; i < workers.length; i++) {
                long turn = workers[i].turnAcquire();
                if (turn != turns[i]) { // a turn that begins now may be held up as well, in close() say
                    turns[i] = turn;
                    sinceNanos[i] = now;
                } else if (now - forceNanos > 0 && now - sinceNanos[i] > INTERRUPT_NANOS) {
                    interruptIfHeldUp(workers[i], turn);
                }
            }
            return false;
        });
        interrupted |= wasInterrupted;
    }

    private static void interruptIfHeldUp(Worker worker, long turn) {
        Thread thread = worker.thread();
        if (thread != null && worker.runningAcquire() != null && worker.turnAcquire() == turn) {
            thread.interrupt();
        }
    }

    // What is left.

    /** Names the processes whose code did not return. */
    private List<ShutdownReport.Stuck> findStuck() {
        var stuck = new ArrayList<ShutdownReport.Stuck>();
        for (Worker worker : scheduler.group.workers()) {
            Thread thread = worker.thread();
            ProcessCell cell = worker.runningAcquire();
            if (thread != null && cell != null) {
                stuck.add(stuck(cell, thread));
            }
        }
        return stuck;
    }

    private static ShutdownReport.Stuck stuck(ProcessCell cell, Thread thread) {
        return new ShutdownReport.Stuck(cell.self(), thread.getName(), List.of(thread.getStackTrace()));
    }

    /**
     * Ends what no worker got to, and gives up those that are stuck. All of it calls user code, that of listeners and of
     * those who wait for a result included, so it runs on threads made for it: this one returns in time.
     */
    private List<ShutdownReport.Stuck> closeRest(List<ShutdownReport.Stuck> stuckBefore) {
        var stuck = new ArrayList<>(stuckBefore);
        var closer = new Closer(stuckBefore);
        for (Worker worker : scheduler.group.workers()) {
            ProcessCell cell = worker.runningAcquire();
            if (cell != null && worker.isTelling()) {
                closer.stuck.remove(cell.self()); // a listener is, not the process; and the worker will not run it
            }
        }
        Thread thread = startAside(closer, "-closer");
        if (!Threads.join(thread, Duration.ofNanos(CLOSE_NANOS))) {
            countable = false;
            closer.stopped = true;
            thread.interrupt();
            ProcessCell cell = closer.closing;
            if (cell != null) {
                stuck.add(stuck(cell, thread));
            }
        }
        var left = new ArrayList<ProcessCell>();
        forEach(cell -> {
            if (scheduler.ending.takeOff(cell)) {
                left.add(cell);
            }
        });
        if (!left.isEmpty()) {
            Thread teller = startAside(() -> left.forEach(this::tellGivenUp), "-teller");
            if (!Threads.join(teller, Duration.ofNanos(CLEAR_NANOS))) {
                countable = false;
                teller.interrupt();
            }
        }
        return stuck;
    }

    private Thread startAside(Runnable task, String role) {
        Thread thread;
        try {
            thread = scheduler.config.newThread(task, scheduler.config.name() + role);
            thread.setDaemon(true);
            thread.start();
        } catch (Throwable thrown) {
            scheduler.listeners.failed("the thread factory of scheduler \"" + scheduler.config.name() + "\"", thrown);
            thread = new NamedThreads("treadle-" + scheduler.config.name() + role + "-").newThread(task);
            thread.start();
        }
        return thread;
    }

    private void giveUp(ProcessCell cell) {
        scheduler.ending.complete(cell, ProcessExit.terminated(cell.self(), REASON_FORCED));
    }

    private void tellGivenUp(ProcessCell cell) {
        scheduler.ending.tell(cell, ProcessExit.terminated(cell.self(), REASON_FORCED));
    }

    /** Returns the blocking calls that did not stop within that time. */
    private List<ShutdownReport.Stuck> clear(long callsNanos) {
        scheduler.timers.close(Duration.ofNanos(CLEAR_NANOS));
        scheduler.asks.close();
        List<ShutdownReport.Stuck> calls = blockingThreads.close(callsNanos, CLEAR_NANOS);
        scheduler.group.clear();
        scheduler.table.clear();
        scheduler.deadlines.clear();
        return calls;
    }

    /** Ends the processes that are left, one after the other, until it is told to stop. */
    private final class Closer implements Runnable {
        private volatile boolean stopped;
        private volatile @Nullable ProcessCell closing;
        private final Set<Pid> stuck = new HashSet<>();

        /** Takes those in whose code another thread still is: they are not to be closed, only given up. */
        Closer(List<ShutdownReport.Stuck> stuck) {
            stuck.forEach(each -> this.stuck.add(each.pid()));
        }

        @Override
        public void run() {
            forEach(cell -> {
                if (stuck.contains(cell.self())) {
                    giveUp(cell);
                } else if (!stopped) {
                    closing = cell;
                    scheduler.ending.end(cell, ProcessExit.terminated(cell.self(), REASON_FORCED));
                    closing = null;
                }
            });
        }
    }
}

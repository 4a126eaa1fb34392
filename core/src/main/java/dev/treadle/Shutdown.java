// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
     * All that comes after the wait shares one second (FORCE_NANOS and what follows).
     */
    static final String REASON = "the scheduler is shutting down";

    private static final String REASON_FORCED = "not ended when the scheduler had shut down";

    private static final long FORCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long HALT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A step that has not returned for this long after its time was up is interrupted. */
    private static final long INTERRUPT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long POLL_MILLIS = 2;

    private final Scheduler scheduler;
    private final BlockingThreads blockingThreads;
    private final boolean threaded;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<ShutdownReport> report = new CompletableFuture<>();
    private final Semaphore lastEnded = new Semaphore(0);
    private volatile boolean stopping;

    // Of the thread that shuts down.
    private boolean interrupted;

    Shutdown(Scheduler scheduler, BlockingThreads blockingThreads, boolean threaded) {
        this.scheduler = scheduler;
        this.blockingThreads = blockingThreads;
        this.threaded = threaded;
    }

    /** Any thread. Whether submissions, and messages from outside, are refused. */
    boolean isStopping() {
        return stopping;
    }

    /** Whoever took a process off the table. */
    void ended() {
        if (stopping && scheduler.table.size() == 0) {
            lastEnded.release();
        }
    }

    /** Any thread but a worker's. The first caller shuts down, the others wait for it. */
    ShutdownReport run(long timeoutNanos) {
        if (begun.compareAndSet(false, true)) {
            try {
                report.complete(threaded ? shutDown(timeoutNanos) : shutDownByHand());
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
        int left = scheduler.table.size();
        List<ShutdownReport.Stuck> stuck = List.of();
        long forceStart = System.nanoTime();
        if (left > 0) {
            forEach(this::kill);
            awaitWithInterrupts(forceStart + FORCE_NANOS);
        }
        scheduler.group.watchdog.stop(Duration.ofNanos(HALT_NANOS));
        scheduler.group.halt();
        if (!scheduler.group.join(System.nanoTime() + HALT_NANOS)) {
            stuck = giveUpStuck();
        }
        if (scheduler.table.size() > 0) {
            stuck = closeRest(stuck);
        }
        clear();
        int forced = quiet ? 0 : left;
        return new ShutdownReport(
                Math.max(0, alive - left),
                left - forced,
                forced,
                List.copyOf(stuck),
                Duration.ofNanos(System.nanoTime() - start));
    }

    private ShutdownReport shutDownByHand() {
        long start = System.nanoTime();
        int alive = ask();
        scheduler.group.runAll();
        int left = scheduler.table.size();
        forEach(this::kill);
        scheduler.group.runAll();
        scheduler.group.halt();
        clear();
        return new ShutdownReport(alive - left, left, 0, List.of(), Duration.ofNanos(System.nanoTime() - start));
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
        while (scheduler.table.size() > 0 && !interrupted) {
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

    private void pause() {
        try {
            lastEnded.tryAcquire(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true; // whoever interrupts has no more time: go on with force
        }
    }

    /** Whether nothing can happen any more: nothing runs, waits to run, or is awaited from outside. */
    private boolean isQuiet() {
        if (!scheduler.group.isQuiet() || scheduler.timers.size() > 0) {
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

    /** Waits for the killed processes to end, and interrupts workers that are held up by one. */
    private void awaitWithInterrupts(long deadlineNanos) {
        Worker[] workers = scheduler.group.workers();
        long[] turns = new long[workers.length];
        for (int i = 0; i < workers.length; i++) {
            turns[i] = workers[i].turnAcquire();
        }
        long interruptNanos = System.nanoTime() + INTERRUPT_NANOS;
        boolean wasInterrupted = interrupted;
        interrupted = false;
        await(deadlineNanos, () -> {
            if (System.nanoTime() - interruptNanos > 0) {
                for (int i = 0; i < workers.length; i++) {
                    interruptIfHeldUp(workers[i], turns[i]);
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

    /** Names the processes whose code did not return, and lets those who wait for them know that they are lost. */
    private List<ShutdownReport.Stuck> giveUpStuck() {
        var stuck = new ArrayList<ShutdownReport.Stuck>();
        for (Worker worker : scheduler.group.workers()) {
            Thread thread = worker.thread();
            ProcessCell cell = worker.runningAcquire();
            if (thread != null && cell != null) {
                stuck.add(stuck(cell, thread));
                scheduler.ending.complete(cell, ProcessExit.terminated(cell.self(), REASON_FORCED));
            }
        }
        return stuck;
    }

    private static ShutdownReport.Stuck stuck(ProcessCell cell, Thread thread) {
        return new ShutdownReport.Stuck(cell.self(), thread.getName(), List.of(thread.getStackTrace()));
    }

    /** Ends what no worker got to. No worker runs any more, or it is held up in another process: this thread is alone. */
    private List<ShutdownReport.Stuck> closeRest(List<ShutdownReport.Stuck> stuckBefore) {
        var closer = new Closer();
        Thread thread = scheduler.config.newThread(closer, scheduler.config.name() + "-closer");
        thread.setDaemon(true);
        thread.start();
        if (Threads.join(thread, Duration.ofNanos(CLOSE_NANOS))) {
            return stuckBefore;
        }
        closer.stopped = true;
        thread.interrupt();
        var stuck = new ArrayList<>(stuckBefore);
        ProcessCell cell = closer.closing;
        if (cell != null) {
            stuck.add(stuck(cell, thread));
        }
        forEach(left -> scheduler.ending.complete(left, ProcessExit.terminated(left.self(), REASON_FORCED)));
        return stuck;
    }

    private void clear() {
        scheduler.timers.close(Duration.ofNanos(CLEAR_NANOS));
        blockingThreads.close(Duration.ofNanos(CLEAR_NANOS));
        scheduler.group.clear();
        scheduler.table.clear();
    }

    /** Ends the processes that are left, one after the other, until it is told to stop. */
    private final class Closer implements Runnable {
        private volatile boolean stopped;
        private volatile @Nullable ProcessCell closing;

        @Override
        public void run() {
            forEach(cell -> {
                if (!stopped) {
                    closing = cell;
                    scheduler.ending.end(cell, ProcessExit.terminated(cell.self(), REASON_FORCED));
                    closing = null;
                }
            });
        }
    }
}

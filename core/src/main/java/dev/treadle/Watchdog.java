// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the workers now and then: reports a step that runs for too long, lets a spare worker take the place of one
 * that is held up, and frees what nobody else would take from it.
 */
final class Watchdog implements Runnable {
    /*
     * Workers say which process they run and count their turns; to write down the time of each turn would cost more than
     * a short step. So the time of a step is counted from the first tick that saw it, and two ticks must find it over the
     * limit: after a pause of the whole JVM, for a garbage collection say, the first one finds any step there. A step is
     * reported after the limit and at most two ticks later, and one that is shorter than the limit never is.
     *
     * When all workers sleep there is nothing to watch, and after a while the watchdog sleeps as well, until a worker that
     * wakes up finds `dozing` set. The watchdog sets it and then looks whether all sleep; the worker is off the list of
     * sleepers before it looks at `dozing`; all of that is volatile, so one of the two sees the other.
     */
    private static final long TICK_NANOS_MAX = 10_000_000;
    private static final long TICK_NANOS_MIN = 1_000_000;
    private static final int TICKS_PER_LIMIT = 4;

    /** So many ticks in a row must find a step over the limit. */
    private static final int TICKS_OVER_LIMIT = 2;

    private static final long NO_TURN = -1;

    /**
     * So many ticks in a row must find a worker in the same turn before its senders to a crowded mailbox go to others that
     * sleep, and so many before they go to whoever looks at the global queue next. A guess: those that are awake have their own.
     */
    private static final int TICKS_BEFORE_LAST = 2;

    private static final int TICKS_BEFORE_LAST_ANYHOW = 8;

    /** So many of them go at each tick, at the most: they run before those that they send to. */
    private static final int FREED_MAX = 16;

    /** After so many ticks at which all workers slept, the watchdog sleeps too. */
    private static final int QUIET_TICKS = 20;

    private final Scheduler scheduler;
    private final WorkerGroup group;
    private final long limitNanos;
    private final long tickNanos;

    // The watchdog's own, by worker.
    private final long[] turns;
    private final long[] sinceNanos;
    private final int[] ticksInTurn;
    private final int[] ticksOverLimit;
    private int spares;
    private boolean spareRefused;

    private volatile @Nullable Thread thread;
    private volatile boolean stopped;
    private volatile boolean dozing;

    Watchdog(Scheduler scheduler, WorkerGroup group, int workersMax) {
        this.scheduler = scheduler;
        this.group = group;
        limitNanos = scheduler.config.slowStepNanos();
        tickNanos = Math.max(TICK_NANOS_MIN, Math.min(TICK_NANOS_MAX, limitNanos / TICKS_PER_LIMIT));
        turns = new long[workersMax];
        sinceNanos = new long[workersMax];
        ticksInTurn = new int[workersMax];
        ticksOverLimit = new int[workersMax];
    }

    void start() {
        Thread thread = scheduler.config.newThread(
                OwnThreads.serving(scheduler.config, this), scheduler.config.name() + "-watchdog");
        this.thread = thread;
        thread.start();
    }

    @Override
    public void run() {
        int quietTicks = 0;
        while (!stopped) {
            try {
                tick();
            } catch (Throwable thrown) {
                // No thread to be had for a spare worker, most likely. Try again at the next tick.
                scheduler.listeners.failed("the watchdog", thrown);
            }
            quietTicks = group.isQuiet() ? quietTicks + 1 : 0;
            if (quietTicks >= QUIET_TICKS) {
                doze();
                quietTicks = 0;
            } else {
                LockSupport.parkNanos(this, tickNanos);
            }
            Thread.interrupted();
        }
    }

    private void doze() {
        dozing = true;
        while (dozing && !stopped && group.isQuiet()) {
            LockSupport.park(this);
            Thread.interrupted();
        }
        dozing = false;
    }

    /** A worker that wakes up. */
    void workerAwake() {
        if (dozing) {
            dozing = false;
            LockSupport.unpark(thread);
        }
    }

    private void tick() {
        Worker[] workers = group.workers();
        long now = scheduler.config.time().nanos();
        int held = 0;
        var slow = new ArrayList<Runnable>(0);
        for (Worker worker : workers) {
            long turn = worker.turnAcquire();
            ProcessCell running = worker.runningAcquire();
            int index = worker.index;
            if (running == null || turn != turns[index] || turn != worker.turnAcquire()) {
                turns[index] = running == null ? NO_TURN : turn;
                sinceNanos[index] = scheduler.config.time().nanos(); // after the turn: a listener may have taken long
                ticksInTurn[index] = 0;
                ticksOverLimit[index] = 0;
                continue;
            }
            freeNext(worker, turn, running);
            int ticks = ++ticksInTurn[index];
            if (ticks >= TICKS_BEFORE_LAST_ANYHOW || (ticks >= TICKS_BEFORE_LAST && group.sleepers.hasClaimable())) {
                freeLast(worker);
            }
            long elapsedNanos = now - sinceNanos[index];
            if (elapsedNanos < limitNanos) {
                continue;
            }
            if (ticksOverLimit[index] < TICKS_OVER_LIMIT && ++ticksOverLimit[index] == TICKS_OVER_LIMIT) {
                slow.add(() -> report(worker, running, elapsedNanos));
            }
            held += ticksOverLimit[index] == TICKS_OVER_LIMIT ? 1 : 0;
        }
        adjustSpares(held);
        slow.forEach(Runnable::run); // listeners may take their time, so they come last
    }

    /** What a worker would run next does not wait for a step that takes longer than a tick. */
    private void freeNext(Worker worker, long turn, ProcessCell running) {
        ProcessCell waiting = worker.queues().takeNext(turn, running);
        if (waiting != null) {
            group.pushGlobal(waiting);
            group.signalWork();
        }
    }

    /** Those that have sent to a crowded mailbox wait for their worker, but not for a long step. */
    private void freeLast(Worker worker) {
        for (int freed = 0; freed < FREED_MAX; freed++) {
            ProcessCell waiting = worker.queues().takeOldestOfLast();
            if (waiting == null) {
                return;
            }
            group.pushGlobal(waiting);
            group.signalWork();
        }
    }

    private void report(Worker worker, ProcessCell running, long elapsedNanos) {
        Thread thread = worker.thread();
        List<StackTraceElement> stack = thread == null ? List.of() : List.of(thread.getStackTrace());
        scheduler.listeners.onSlowStep(
                new SlowStep(running.self(), Duration.ofNanos(elapsedNanos), worker.index, stack));
    }

    /** As many spare workers as there are workers held up. */
    private void adjustSpares(int held) {
        while (spares < held) {
            if (!group.addSpare()) {
                if (!spareRefused) {
                    spareRefused = true;
                    scheduler.listeners.info("scheduler \"" + scheduler.config.name() + "\" has " + held
                            + " workers held up by slow steps and only " + WorkerGroup.SPARES_MAX
                            + " spare ones: move blocking work into commands");
                }
                return;
            }
            spares++;
        }
        while (spares > held) {
            group.retireSpare();
            spares--;
        }
    }

    /** The one who shuts down: ends the thread, and waits for that. */
    void stop(Duration timeout) {
        stopped = true;
        Thread thread = this.thread;
        LockSupport.unpark(thread);
        if (thread != null) {
            Threads.join(thread, timeout);
        }
    }
}

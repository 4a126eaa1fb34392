// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds ready processes and steps them: one thread's work, with the queues that thread owns.
 *
 * <p>Others may steal from its {@link SharedQueues}, wake it, and look at what it runs; all else is its own.
 */
sealed class Worker extends Padding implements Runnable {
    /*
     * A turn: take a process from the queues (WorkerQueues says in which order), or search for one elsewhere and sleep if
     * there is none (WorkSearch); run it (Stepper).
     *
     * Loops that return. A method that does not return stays in the code that it was compiled to when its loop was entered,
     * also when the JVM has given that code up for better, and a call in such code is never bound to what the callee is
     * compiled to later: it ends in the interpreter, for good. A worker that this happened to took up to ten times as long for
     * each turn. So the loops of a worker are left and entered again. They are nested, because the compiler puts the inner
     * ones into the outer one when that is hot: the outermost goes round once in 2^30 turns.
     *
     * Objects that stay young. A reference that is stored in an old object costs a fence with G1, up to JDK 25 at least, unless
     * what it points to is in the same region. Three such fences in a hop made it take half as long again, as soon as the
     * scheduler had been there for some collections. So what a worker stores references in with every turn is made anew every
     * 16,384 rounds, some 2.5 kB with the usual event budget: the stepper with its events and commands, and the next slot.
     * Nobody has the old ones to give anything to: the worker does it between two turns, when nothing runs, and others look
     * each time.
     */

    /** What a worker is told to do. */
    enum Order {
        RUN,
        /** A spare one that is no longer needed: hand over what is left, and end. */
        RETIRE,
        /** A spare one that has ended, and has no thread. */
        ENDED,
        /** The scheduler is at its end: run no more user code, and end. */
        HALT
    }

    /** How often a loop of a worker goes round before it is left and entered again. */
    private static final int CALLS = 1_024;

    /** How many of its innermost loops a worker makes until it renews what it stores references in. */
    private static final int CALLS_UNTIL_RENEWAL = 16;

    /** Which worker a thread is that is no {@link SchedulerThread}. */
    private static final ThreadLocal<@Nullable Worker> CURRENT = new ThreadLocal<>();

    private static final VarHandle ORDER =
            fieldVarHandle(MethodHandles.lookup(), "order", VarHandle.class, Worker.class, Order.class);
    private static final VarHandle TURN =
            fieldVarHandle(MethodHandles.lookup(), "turn", VarHandle.class, Worker.class, long.class);

    final int index;
    final Scheduler scheduler;
    final WorkerCounters counters = new WorkerCounters.Padded();
    private final WorkerGroup group;
    private final WorkSearch search;

    // Shared: others steal from the queues, give orders, and look at what runs.
    final WorkerQueues queues;
    private volatile Order order = Order.RUN;
    private volatile @Nullable Thread thread;
    private volatile boolean telling;
    private volatile Stepper stepper;
    private long turn;

    // The worker's own.
    final Stranded stranded = new Stranded();
    private int wakes;
    private long idNext;
    private long turnOfTime = -1;
    private long turnNanos;
    private long idEnd;

    Worker(int index, Scheduler scheduler, WorkerGroup group, Parker parker) {
        this.index = index;
        this.scheduler = scheduler;
        this.group = group;
        this.queues = new WorkerQueues.Padded(group, scheduler.config.time(), index, scheduler.isThreaded());
        this.search = new WorkSearch(this, group, parker, scheduler.config.seed() + index);
        this.stepper = newStepper(scheduler);
    }

    private Stepper newStepper(Scheduler scheduler) {
        Director director = scheduler.config.director();
        return director == null ? new Stepper.Padded(scheduler, this) : DirectedStepper.of(scheduler, this, director);
    }

    /** Any thread. The worker that this thread is, or null. */
    static @Nullable Worker current() {
        return Thread.currentThread() instanceof SchedulerThread own ? own.worker : CURRENT.get();
    }

    private static void setCurrent(@Nullable Worker worker) {
        if (Thread.currentThread() instanceof SchedulerThread own) {
            own.worker = worker;
        } else if (worker == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(worker);
        }
    }

    /** The thread of this worker, until it is told to end. One that is told to stay after all goes on. */
    @Override
    public void run() {
        do {
            enter(Thread.currentThread());
            try {
                runWhileTold();
            } finally {
                try {
                    queues.handOver();
                } finally {
                    exit(); // also if memory runs out: one that is told to end must not look as if it had a thread
                }
            }
        } while (order != Order.HALT && !ORDER.compareAndSet(this, Order.RETIRE, Order.ENDED));
    }

    /** The one method that does not return. It goes round so seldom that the JVM has no reason to compile it. */
    private void runWhileTold() {
        while (order == Order.RUN) {
            runBillion();
        }
    }

    private void runBillion() {
        for (int calls = CALLS; calls > 0 && order == Order.RUN; calls--) {
            runMillion();
        }
    }

    private void runMillion() {
        for (int calls = CALLS; calls > 0 && order == Order.RUN; calls--) {
            runTurns();
            stepper.forget();
            if (calls % CALLS_UNTIL_RENEWAL == 0) {
                renew();
            }
        }
    }

    /** Between two turns: puts young objects in the place of those that it stores references in. */
    private void renew() {
        try {
            Stepper young = newStepper(scheduler);
            young.out.bind(Thread.currentThread());
            queues.renewNext(turn);
            stepper = young;
        } catch (Throwable outOfMemory) {
            // Most likely. The old ones do the same, and take longer.
        }
    }

    /** Some turns, but never for long: see above. */
    private void runTurns() {
        for (int turns = CALLS; turns > 0; turns--) {
            try {
                ProcessCell cell = queues.find();
                if (cell == null) {
                    cell = awaitWork();
                }
                if (cell == null || order != Order.RUN) {
                    giveBack(cell);
                    return;
                }
                stepper.run(cell);
            } catch (Throwable thrown) {
                // Not user code, the stepper sees to that: memory ran out, most likely. A worker goes on.
                report(thrown);
            }
        }
    }

    private void report(Throwable thrown) {
        try {
            scheduler.listeners.failed("worker " + index, thrown);
        } catch (Throwable again) {
            // There is no memory to say so either.
        }
    }

    /** In place of a thread: finds one process and runs it; false if there is none. */
    boolean runOne() {
        OwnThreads.refuseToBlock("run a turn inside of another");
        enter(Thread.currentThread());
        try {
            ProcessCell cell = queues.find();
            if (cell == null) {
                cell = search.stealAny();
            }
            if (cell != null) {
                runUnlessTold(cell);
            }
            return cell != null;
        } finally {
            stepper.forget();
            exit();
        }
    }

    /** In place of a thread: runs a process that was taken out of the queues. */
    void runThis(ProcessCell cell) {
        enter(Thread.currentThread());
        try {
            runUnlessTold(cell);
        } finally {
            stepper.forget();
            exit();
        }
    }

    private void enter(Thread thread) {
        setCurrent(this);
        queues.bindOwner(thread);
        stepper.out.bind(thread);
        this.thread = thread;
        group.watchdog.workerAwake();
    }

    private void exit() {
        thread = null;
        queues.bindOwner(null);
        setCurrent(null);
    }

    private void runUnlessTold(ProcessCell cell) {
        if (order == Order.RUN) {
            stepper.run(cell);
        } else {
            giveBack(cell);
        }
    }

    /** It is told to end: others have to run the process that it has found, if it has. */
    private void giveBack(@Nullable ProcessCell found) {
        if (found != null) {
            group.pushGlobal(found);
        }
    }

    // Finding work.

    /** Searches until there is work, or there is an order to end, and tells listeners what it took. */
    private @Nullable ProcessCell awaitWork() {
        stepper.forget();
        ProcessCell cell = search.await();
        if (cell != null && !scheduler.listeners.isEmpty()) {
            // Not before: one that searches holds up the waking of others.
            tell(cell, search.sleptNanos(), search.stolen());
        }
        return cell;
    }

    /**
     * Tells listeners as if it were part of the turn to come, but for that the process is not theirs. So the watchdog sees to
     * it if one of them blocks; only that process waits for them.
     */
    private void tell(ProcessCell next, long sleptNanos, int stolen) {
        boolean told = false;
        telling = true;
        begin(next);
        try {
            if (sleptNanos > 0) {
                scheduler.listeners.onPark(index, sleptNanos);
            }
            if (stolen > 0) {
                scheduler.listeners.onSteal(index, stolen);
            }
            told = true;
        } finally {
            end();
            telling = false;
            if (!told) {
                group.pushGlobal(next); // memory ran out, and nobody else has the process
            }
        }
    }

    // Making work.

    /** The worker's thread: a process that a step, a handler or a listener on this thread woke. */
    void wake(ProcessCell ready) {
        Invariants.pushed(ready);
        sample(ready);
        queues.wake(ready, stepper.running() != null);
    }

    /** The worker's thread: a process that stays ready, behind what waits already. */
    void pushBehind(ProcessCell ready) {
        Invariants.pushed(ready);
        sample(ready);
        queues.pushBehind(turn, ready);
    }

    private void sample(ProcessCell ready) {
        if ((wakes++ & DelayProbe.SAMPLE_MASK) == 0) {
            group.probe.sample(index, ready);
        }
    }

    /** The worker's thread: an id for a new process, from a block of its own. */
    long nextId(ProcessIds ids) {
        if (idNext == idEnd) {
            idNext = ids.nextBlock(index);
            idEnd = idNext + ProcessIds.BLOCK;
        }
        return idNext++;
    }

    /** The worker's thread: the time, read once in a turn; a look at the clock costs as much as a short step. */
    long turnNanos() {
        if (turnOfTime != turn) {
            turnOfTime = turn;
            turnNanos = scheduler.config.time().nanos();
        }
        return turnNanos;
    }

    // What it is doing now.

    /** The worker's thread, before it calls user code of a process. */
    void begin(ProcessCell cell) {
        TURN.setRelease(this, turn + 1); // pairs with turnAcquire() in the watchdog
        stepper.setRunningRelease(cell); // pairs with runningAcquire() in the watchdog
    }

    /** The worker's thread, before another turn of the same process. */
    void beginAgain() {
        TURN.setRelease(this, turn + 1);
    }

    /** The worker's thread, when all user code of the process has returned. */
    void end() {
        stepper.setRunningRelease(null);
        forgetInterrupt();
        if (stranded.count > 0) {
            queues.signalIfDue(); // what is put back may be closed, which is user code
            stranded.putBack(queues, scheduler.submissions);
        }
    }

    /** The worker's thread, when user code has returned: whoever interrupted meant that code, not the next. */
    void forgetInterrupt() {
        if (Thread.currentThread().isInterrupted()) {
            Thread.interrupted();
        }
    }

    /** The worker's thread: the process whose code runs. */
    @Nullable
    ProcessCell running() {
        return telling ? null : stepper.running();
    }

    /** Any thread: whether a listener holds it up, and no code of the process that it is about to run. */
    boolean isTelling() {
        return telling;
    }

    /** The worker's thread: what goes along with something that the process whose code runs does now. */
    Map<String, Object> carried() {
        return stepper.carried();
    }

    /** The worker's thread: how many turns it has begun. */
    long turns() {
        return turn;
    }

    /** Any thread: counts the turns, so that two looks tell whether the same one still runs. */
    long turnAcquire() {
        return (long) TURN.getAcquire(this);
    }

    /** Any thread: the process whose code runs, or null. */
    @Nullable
    ProcessCell runningAcquire() {
        return stepper.runningAcquire();
    }

    /** Any thread: whether it runs the code of a process at this moment. */
    boolean isRunning(ProcessCell cell) {
        return runningAcquire() == cell && !telling;
    }

    /** Any thread: what it is told to do. */
    Order order() {
        return order;
    }

    /** Any thread. */
    boolean isHalted() {
        return order == Order.HALT;
    }

    /** Any thread. */
    @Nullable
    Thread thread() {
        return thread;
    }

    // For others.

    /** The one who shuts down; and the watchdog, of a spare worker that no thread was to be had for. */
    void order(Order order) {
        this.order = order;
    }

    /** The watchdog, of a spare worker: tells it to end when it is next awake. False if it was told already. */
    @CheckReturnValue
    boolean retire() {
        return ORDER.compareAndSet(this, Order.RUN, Order.RETIRE);
    }

    /** The watchdog, of a spare worker that was told to end: tells it to stay. False if it has ended, or was not told. */
    @CheckReturnValue
    boolean keep() {
        return ORDER.compareAndSet(this, Order.RETIRE, Order.RUN);
    }

    /** The watchdog, of a spare worker that has ended: true if the caller must start a thread for it. */
    @CheckReturnValue
    boolean revive() {
        return ORDER.compareAndSet(this, Order.ENDED, Order.RUN);
    }

    /** The one who claimed this worker from {@link Sleepers}. */
    void unpark() {
        search.unpark();
    }

    /** Any thread: what others may do with the queues. */
    SharedQueues queues() {
        return queues;
    }

    /** Any thread. */
    WorkerInfo info(boolean isSpare) {
        ProcessCell running = runningAcquire();
        return new WorkerInfo(index, isSpare, activity(running), running == null ? null : running.self());
    }

    private WorkerInfo.Activity activity(@Nullable ProcessCell running) {
        if (running != null) {
            return WorkerInfo.Activity.RUNNING;
        }
        Thread thread = this.thread;
        if (thread == null) {
            return WorkerInfo.Activity.RESTING;
        }
        boolean sleeps = thread.getState() == Thread.State.WAITING;
        return sleeps ? WorkerInfo.Activity.ASLEEP : WorkerInfo.Activity.SEARCHING;
    }

    /** Any thread. */
    WorkerStats stats() {
        return counters.stats(index, queues.size());
    }

    @Override
    public String toString() {
        ProcessCell running = runningAcquire();
        return "Worker[" + index + ", " + order + ", " + (running == null ? "runs nothing" : "runs " + running.self())
                + "]";
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends Worker {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

        Padded(int index, Scheduler scheduler, WorkerGroup group, Parker parker) {
            super(index, scheduler, group, parker);
        }
    }
}

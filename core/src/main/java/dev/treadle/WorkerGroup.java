// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.queue.GlobalQueue;
import dev.treadle.queue.WorkStealingDeque;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The workers of a scheduler with all that they share: the global queue, the list of sleepers, the watchdog. */
final class WorkerGroup {
    /** How many spare workers there can be at a time, one for each worker that is held up in a step. */
    static final int SPARES_MAX = 64;

    final Sleepers sleepers;
    final DelayProbe probe;
    final Watchdog watchdog;
    private final Scheduler scheduler;
    private final GlobalQueue<ProcessCell> global = new GlobalQueue<>();
    private final LongAdder wakeUps = new LongAdder();
    private final int regular;

    /** All threads that workers were given and that may still run. Under its own lock. */
    private final List<Thread> threads = new ArrayList<>();

    /** The regular workers, then the spare ones that were ever needed. Replaced as a whole when it grows. */
    private volatile Worker[] workers;

    private volatile boolean halted;

    /** What was taken out of the queues so that whoever steps the scheduler by hand can choose; that thread only. */
    private final List<ProcessCell> gathered = new ArrayList<>();

    WorkerGroup(Scheduler scheduler) {
        this.scheduler = scheduler;
        SchedulerConfig config = scheduler.config;
        regular = config.workers();
        int most = regular + SPARES_MAX;
        sleepers = new Sleepers(most, regular);
        probe = new DelayProbe(config.time(), most);
        watchdog = new Watchdog(scheduler, this, most);
        workers = new Worker[0];
    }

    /** Makes the workers; with threads, or to be run by hand. */
    void start(boolean threaded) {
        var made = new Worker[regular];
        for (int i = 0; i < regular; i++) {
            made[i] = new Worker.Padded(i, scheduler, this, scheduler.config.newParker());
        }
        workers = made;
        if (threaded) {
            boolean started = false;
            try {
                for (Worker worker : made) {
                    startThread(worker);
                }
                watchdog.start();
                started = true;
            } finally {
                if (!started) {
                    halt(); // those that did start end again
                }
            }
        }
    }

    private void startThread(Worker worker) {
        String role = worker.index < regular ? "-worker-" + worker.index : "-spare-" + (worker.index - regular);
        Thread thread = scheduler.config.newThread(worker, scheduler.config.name() + role);
        synchronized (threads) {
            threads.removeIf(old -> old.getState() == Thread.State.TERMINATED);
            threads.add(thread);
        }
        thread.start();
    }

    /** Any thread. The workers there are; not to be changed. */
    Worker[] workers() {
        return workers;
    }

    /** Any thread. Whether the worker with that index runs the code of a process at this moment. */
    boolean isRunning(ProcessCell cell, int index) {
        Worker[] all = workers;
        return index < all.length
                && all[index].isRunning(cell); // one may see the index of a spare worker before the worker
    }

    /** In place of threads: lets the workers take turns until none finds a process. Returns how many turns were run. */
    long runAll() {
        return runAll(Long.MAX_VALUE);
    }

    /** Like {@link #runAll()}, but at most so many turns. */
    long runAll(long turnsMax) {
        putBack();
        Worker[] all = workers;
        long turns = 0;
        int idle = 0;
        for (int i = 0; idle < all.length && turns < turnsMax; i = (i + 1) % all.length) {
            if (all[i].runOne()) {
                turns++;
                idle = 0;
            } else {
                idle++;
            }
        }
        return turns;
    }

    /** In place of threads: takes all that is ready out of the queues. The list is in the order in which they were found. */
    List<ProcessCell> gather() {
        for (Worker worker : workers) {
            worker.queues.drainInto(gathered);
        }
        for (ProcessCell cell = global.pop(); cell != null; cell = global.pop()) {
            gathered.add(cell);
        }
        return gathered;
    }

    /** In place of threads: puts what was gathered and not run where workers find it. */
    void putBack() {
        gathered.forEach(this::pushGlobal);
        gathered.clear();
    }

    // Work.

    /** Any thread: puts a process that was woken outside of this group's workers in the global queue. */
    void pushFromOutside(ProcessCell ready) {
        Invariants.pushed(ready);
        probe.sampleFromOutside(ready);
        pushGlobal(ready);
        signalWork();
    }

    /** Any thread. The caller must {@link #signalWork} afterwards, unless it is a worker about to look for work. */
    void pushGlobal(ProcessCell ready) {
        global.push(ready);
    }

    /** A worker: takes the oldest process of the global queue, and some more into its own deque. */
    @Nullable
    ProcessCell popGlobal(WorkStealingDeque<ProcessCell> deque) {
        if (global.isEmpty()) {
            return null;
        }
        ProcessCell oldest = global.popBatchInto(deque, WorkerQueues.GLOBAL_BATCH);
        if (deque.transferred() > 1) {
            signalWork(); // on their way they were in no queue: whoever looked meanwhile has gone to sleep
        }
        return oldest;
    }

    /** Any thread that has put a process in a queue: wakes a sleeper if nobody searches. The rule is in {@link Sleepers}. */
    void signalWork() {
        VarHandle.fullFence(); // pairs with the compare-and-set in Sleepers.announce
        wakeOne();
    }

    /** Any thread, after a full fence. */
    void wakeOne() {
        if (!sleepers.hasClaimable()) {
            return;
        }
        StackRoom.ensure(); // a sleeper that was claimed and not unparked would sleep for ever
        int sleeper = sleepers.claim();
        if (sleeper != Sleepers.NOBODY) {
            workers[sleeper].unpark(); // first: the count may need memory
            wakeUps.increment();
        }
    }

    /** A searching worker that found work. The rule is in {@link Sleepers}. */
    void stopSearching() {
        if (sleepers.stopSearching() && hasWork()) {
            wakeOne();
        }
    }

    /** A worker that has announced its sleep, or has stopped searching: whether there is work in any queue. */
    boolean hasWork() {
        if (!global.isEmpty()) {
            return true;
        }
        for (Worker worker : workers) {
            if (worker.queues().hasWork()) {
                return true;
            }
        }
        return false;
    }

    /** A worker: how many are behind others at the worker that has the fewest of them, itself included. */
    int leastLater(SharedQueues own) {
        int least = own.later.size();
        for (Worker worker : workers) {
            if (worker.queues != own && worker.order() == Worker.Order.RUN) {
                least = Math.min(least, worker.queues.later.size());
            }
        }
        return least;
    }

    /** In place of threads: whether any process is in a queue, also one that is left to its worker. */
    boolean hasReady() {
        int ready = globalLength();
        for (Worker worker : workers) {
            ready += worker.queues().size();
        }
        return ready > 0;
    }

    // Spare workers. The watchdog's thread only.

    /** Starts a spare worker, or one that was told to retire and has not yet. Returns false if there are too many. */
    @CheckReturnValue
    boolean addSpare() {
        Worker[] all = workers;
        for (int i = regular; i < all.length; i++) {
            if (all[i].keep()) {
                return true;
            }
            if (all[i].revive()) {
                startSpare(all[i]);
                return true;
            }
        }
        if (all.length == regular + SPARES_MAX) {
            return false;
        }
        var spare = new Worker.Padded(all.length, scheduler, this, scheduler.config.newParker());
        Worker[] more = Arrays.copyOf(all, all.length + 1);
        more[all.length] = spare;
        workers = more;
        if (halted) {
            return false; // halt() sets this and then looks at the workers; one of the two sees the other
        }
        startSpare(spare);
        return true;
    }

    /** If there is no thread to be had, the spare worker is one that has ended, to be tried again. */
    private void startSpare(Worker spare) {
        boolean started = false;
        try {
            startThread(spare);
            started = true;
        } finally {
            if (!started) {
                spare.order(Worker.Order.ENDED);
            }
        }
    }

    /** Tells a spare worker that it is no longer needed. It ends as soon as it does not run a process. */
    void retireSpare() {
        Worker[] all = workers;
        for (int i = all.length - 1; i >= regular; i--) {
            if (all[i].retire()) {
                wakeAll();
                return;
            }
        }
    }

    /** Any thread, after a full fence: wakes all that sleep, since nobody can be taken from the middle of their stack. */
    void wakeAll() {
        var claimed = new ArrayList<Worker>();
        for (int sleeper = sleepers.claimAny(); sleeper != Sleepers.NOBODY; sleeper = sleepers.claimAny()) {
            claimed.add(workers[sleeper]);
        }
        claimed.forEach(Worker::unpark);
    }

    // The end.

    /** Any thread: whether all workers with a thread sleep, and no queue holds anything. True for a moment only. */
    boolean isQuiet() {
        int threads = 0;
        for (Worker worker : workers) {
            threads += worker.thread() == null ? 0 : 1;
        }
        return sleepers.asleep() == threads && !hasWork();
    }

    /** Any thread: whether a worker is in a turn, the end of a process included. True for a moment only. */
    boolean isAnyRunning() {
        for (Worker worker : workers) {
            if (worker.runningAcquire() != null) {
                return true;
            }
        }
        return false;
    }

    /** The one who shuts down: no worker runs user code after the one it runs now, and all threads end. */
    void halt() {
        halted = true; // pairs with addSpare: none is started that does not see HALT
        for (Worker worker : workers) {
            worker.order(Worker.Order.HALT);
        }
        VarHandle.fullFence();
        wakeAll();
    }

    /** The one who shuts down, after {@link #halt}: waits for the threads to end; true if all have. */
    @CheckReturnValue
    boolean join(long deadlineNanos) {
        List<Thread> started;
        synchronized (threads) {
            started = List.copyOf(threads);
        }
        boolean ended = true;
        for (Thread thread : started) {
            ended &= Threads.join(thread, Duration.ofNanos(deadlineNanos - System.nanoTime()));
        }
        return ended;
    }

    /** The one who shuts down: interrupts the threads that have not ended, they are held up in user code. */
    void interrupt() {
        synchronized (threads) {
            threads.forEach(Thread::interrupt);
        }
    }

    /** The one who shuts down, when the threads have ended: forgets all that waits. */
    void clear() {
        putBack();
        for (Worker worker : workers) {
            worker.queues().clear(); // also of one that is held up: its queues may be stolen from by anybody
        }
        for (ProcessCell cell = global.pop(); cell != null; cell = global.pop()) {
            Invariants.dropped(cell);
        }
        probe.clear();
    }

    // Figures.

    List<WorkerStats> stats() {
        var stats = new ArrayList<WorkerStats>();
        for (Worker worker : workers) {
            stats.add(worker.stats());
        }
        return stats;
    }

    List<WorkerInfo> infos() {
        var infos = new ArrayList<WorkerInfo>();
        for (Worker worker : workers) {
            infos.add(worker.info(worker.index >= regular));
        }
        return List.copyOf(infos);
    }

    int globalLength() {
        return (int) Math.min(Integer.MAX_VALUE, global.size());
    }

    long wakeUps() {
        return wakeUps.sum();
    }

    long steps() {
        return Arrays.stream(workers)
                .mapToLong(worker -> worker.counters.steps())
                .sum();
    }

    long submitted() {
        return Arrays.stream(workers)
                .mapToLong(worker -> worker.counters.submitted())
                .sum();
    }

    long completed() {
        return Arrays.stream(workers)
                .mapToLong(worker -> worker.counters.completed())
                .sum();
    }
}

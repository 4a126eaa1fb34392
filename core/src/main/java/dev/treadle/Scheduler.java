// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Delivery;
import dev.treadle.relay.Envelope;
import dev.treadle.relay.Receiver;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs processes on work-stealing workers, routes messages to them, dispatches their commands, and ends them in order.
 *
 * <pre>{@code
 * try (Scheduler scheduler = Scheduler.builder().start()) {
 *     ProcessRef counter = scheduler.submit(new Counter(), "main", 40);
 *     counter.send("add", 2);
 *     System.out.println(counter.result().get(1, TimeUnit.SECONDS));
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads. What it promises stands in the guarantees page of the documentation.
 */
public final class Scheduler implements Receiver, AutoCloseable {
    final SchedulerConfig config;
    final Listeners listeners;
    final HandlerTable handlers;
    final Timers timers;
    final ProcessTable table;
    final Submissions submissions;
    final WorkerGroup group;
    final ProcessEnding ending;
    final Deadlines deadlines;
    final Bindings bindings;
    final Routing routing;
    final OutsideAsks asks;
    final Invariants invariants;
    private final BlockingThreads blockingThreads;
    final Shutdown shutdown;
    private final boolean threaded;
    private final LongAdder completedOutside = new LongAdder();

    Scheduler(SchedulerConfig config, CommandRegistry registry, List<SchedulerListener> listeners, boolean threaded) {
        this.config = config;
        this.threaded = threaded;
        this.listeners = new Listeners(listeners);
        this.blockingThreads = new BlockingThreads("treadle-" + config.name());
        this.bindings = new Bindings(config.binding(), this.listeners);
        this.handlers = registry.freeze(
                new BuiltInHandlers(this).all(blockingThreads),
                blockingThreads,
                bindings,
                config.gate(),
                config.director());
        this.timers = new Timers(config, this.listeners, threaded);
        this.table = new ProcessTable(config.maxProcesses());
        this.routing = config.director() == null ? new Routing(this) : DirectedRouting.of(this, config.director());
        this.asks = new OutsideAsks(this, threaded ? blockingThreads : Runnable::run);
        this.ending = new ProcessEnding(this);
        this.deadlines = new Deadlines(this);
        this.group = new WorkerGroup(this);
        this.shutdown = new Shutdown(this, blockingThreads, threaded);
        this.submissions = new Submissions(this, shutdown);
        this.invariants = new Invariants(this);
    }

    void start() {
        group.start(threaded);
        invariants.start(threaded);
    }

    /** Returns a builder with the defaults set. */
    public static SchedulerBuilder builder() {
        return new SchedulerBuilder();
    }

    /** Returns the name: the host in the addresses of its processes. */
    public String name() {
        return config.name();
    }

    // Starting processes.

    /**
     * Starts a process. Its {@code init} runs here, on the calling thread.
     *
     * @param process the process
     * @param method its entry point
     * @param input its arguments
     * @throws SubmissionRefusedException if the scheduler is stopping or full, or a listener refuses
     * @throws InitFailedException if its {@code init} throws a checked exception; an unchecked one is thrown as it is
     */
    public ProcessRef submit(Process process, String method, @Nullable Object... input) {
        return submissions.submit(process, method, Payloads.of(input), null, null);
    }

    /**
     * Starts a process with options. Its {@code init} runs here, on the calling thread.
     *
     * @throws SubmissionRefusedException if the scheduler is stopping or full, or a listener refuses
     * @throws InitFailedException if its {@code init} throws a checked exception; an unchecked one is thrown as it is
     */
    public ProcessRef submit(Submission submission) {
        Objects.requireNonNull(submission, "submission is null: use Submission.of(process, method)");
        return submit(submission, null);
    }

    ProcessRef submit(Submission submission, @Nullable ProcessCell parent) {
        return submissions.submit(submission.process(), submission.method(), submission.input(), submission, parent);
    }

    // Sending.

    /**
     * Delivers a message to the process that it is addressed to. Any thread; never blocks.
     *
     * @return what became of it
     */
    @Override
    public Delivery send(Envelope envelope) {
        return routing.send(envelope);
    }

    /** For a relay: counts a message that it could not pass on, and tells the listeners. */
    public void deadLetter(DeadLetter letter) {
        routing.deadLetter(
                Objects.requireNonNull(letter, "letter is null: give the message and why it was not passed on"));
    }

    /**
     * Sends a message to a process, from outside or from the process whose step this thread runs. Never blocks.
     *
     * @param target who gets it
     * @param topic what it is about
     * @param payload the content, or null; must not be modified afterwards
     * @return what became of it
     */
    public Delivery send(Pid target, String topic, @Nullable Object payload) {
        return routing.send(target, topic, payload);
    }

    // Ending processes.

    /**
     * Asks a process to end, with a {@link Signal}. It may take its time.
     *
     * @param pid the process
     * @param reason why, in words
     * @return whether the signal was delivered
     */
    public Delivery cancel(Pid pid, String reason) {
        Objects.requireNonNull(pid, "pid is null: give the Pid of the process");
        Objects.requireNonNull(reason, "reason is null: say why, in words that help the reader of a log");
        ProcessCell cell = routing.find(pid);
        return cell == null ? Delivery.NO_SUCH_PROCESS : signalCancel(cell, reason);
    }

    /**
     * Asks a process to end, and ends it by force if it is still there after the deadline.
     *
     * @param pid the process
     * @param reason why, in words
     * @param deadline how long it may take
     * @return whether the signal was delivered
     */
    public Delivery cancel(Pid pid, String reason, Duration deadline) {
        long nanos = Durations.nanosFromZero("deadline", deadline);
        Delivery delivery = cancel(pid, reason);
        ProcessCell cell = delivery.isDelivered() ? routing.find(pid) : null;
        if (cell != null) {
            deadlines.set(cell, reason, nanos);
        }
        return delivery;
    }

    /**
     * Ends a process at its next step boundary, awake or not. It is closed, but not stepped again.
     *
     * @return whether there was such a process
     */
    public Delivery terminate(Pid pid) {
        Objects.requireNonNull(pid, "pid is null: give the Pid of the process");
        ProcessCell cell = routing.find(pid);
        return cell == null ? Delivery.NO_SUCH_PROCESS : kill(cell, "terminated");
    }

    /**
     * Ends a process at its next step boundary, awake or not. It is closed, but not stepped again.
     *
     * @param reason why, in words: part of its exit reason
     * @return whether there was such a process
     */
    public Delivery terminate(Pid pid, String reason) {
        Objects.requireNonNull(pid, "pid is null: give the Pid of the process");
        Objects.requireNonNull(reason, "reason is null: say why, in words that help the reader of a log");
        ProcessCell cell = routing.find(pid);
        return cell == null ? Delivery.NO_SUCH_PROCESS : kill(cell, reason);
    }

    /**
     * Puts another process in the place of one at its next step boundary, awake or not: as {@link
     * StepOutput#upgrade}, but without its help. Messages that wait are for the next one.
     *
     * @param pid the process
     * @param next given the old process, says which takes over, with which method and input; nothing else of the
     *     submission counts. Called on a worker. If it throws, the process ends with that
     * @return whether there was such a process
     */
    public Delivery upgrade(Pid pid, Function<? super Process, Submission> next) {
        Objects.requireNonNull(pid, "pid is null: give the Pid of the process");
        Objects.requireNonNull(next, "next is null: say what takes over");
        ProcessCell cell = routing.find(pid);
        return cell == null ? Delivery.NO_SUCH_PROCESS : routing.pushUrgent(cell, new UpgradeOrder(next));
    }

    /**
     * Gives a process a signal about another one. To ask a process to end, use {@link #cancel(Pid, String)}.
     *
     * @return whether there was such a process
     * @throws IllegalArgumentException if the signal is a cancel, or was given before
     */
    public Delivery signal(Pid pid, Signal signal) {
        Objects.requireNonNull(pid, "pid is null: give the Pid of the process");
        if (signal.isCancel()) {
            throw new IllegalArgumentException(signal + " is a cancel, which needs more than a signal: use cancel()");
        }
        if (!signal.give()) {
            throw new IllegalArgumentException(
                    signal + " was given before, a signal is given once: make another with Signal.of");
        }
        ProcessCell cell = routing.find(pid);
        if (cell == null) {
            return Delivery.NO_SUCH_PROCESS;
        }
        cell.mayWakeInVain = true; // it can be taken back
        return routing.pushUrgent(cell, signal);
    }

    Delivery signalCancel(ProcessCell cell, String reason) {
        if (!ProcessState.isOpen(cell.word())) {
            return Delivery.NO_SUCH_PROCESS;
        }
        cell.markCancelled();
        return routing.pushUrgent(cell, Signal.of(Signal.Kind.CANCEL, reason, null));
    }

    Delivery kill(ProcessCell cell, String reason) {
        return routing.pushUrgent(cell, new Kill(reason));
    }

    /** Whoever took a process off the table, before others hear of its end: they find it counted. */
    void countCompleted() {
        Worker worker = routing.currentWorker();
        if (worker == null) {
            completedOutside.increment();
        } else {
            worker.counters.completed++;
        }
    }

    // Seeing.

    /** Returns the process with an address, or nothing if it is not alive here. */
    public Optional<ProcessRef> find(Pid pid) {
        Objects.requireNonNull(pid, "pid is null: give the Pid of the process");
        ProcessCell cell = routing.find(pid);
        return cell == null || !ProcessState.isOpen(cell.word()) ? Optional.empty() : Optional.of(new ProcessRef(cell));
    }

    /** Returns what a process is doing, or nothing if there is none. */
    public Optional<ProcessInfo> inspect(Pid pid) {
        Objects.requireNonNull(pid, "pid is null: give the Pid of the process");
        ProcessCell cell = routing.find(pid);
        return cell == null ? Optional.empty() : Optional.ofNullable(cell.info());
    }

    /**
     * Returns what all processes are doing, in no order. Each is looked at when the stream comes to it; one that starts or
     * ends meanwhile may or may not be there.
     */
    public Stream<ProcessInfo> processes() {
        return IntStream.range(0, table.parts())
                .boxed()
                .flatMap(part -> table.part(part).stream())
                .map(ProcessCell::info)
                .flatMap(Stream::ofNullable);
    }

    /**
     * Shows what all processes are doing, in no order, without an object for each: for those who look at a million and keep
     * a few. One that starts or ends meanwhile may or may not be shown. What the action throws ends the scan.
     *
     * @param action gets a view that is valid during the call only; the same one each time
     */
    public void scan(Consumer<ProcessView> action) {
        Objects.requireNonNull(action, "action is null: give what looks at the processes");
        var view = new ProcessView(config.time().nanos());
        try {
            for (int part = 0; part < table.parts(); part++) {
                for (ProcessCell cell : table.part(part)) {
                    if (cell.look(view)) {
                        action.accept(view);
                    }
                }
            }
        } finally {
            view.clear();
        }
    }

    /** Returns what each worker is doing, spare ones that are or were in use included. */
    public List<WorkerInfo> workers() {
        return group.infos();
    }

    /** Returns what the scheduler has done so far, and what it holds now. Looks at each process, to count its state. */
    public SchedulerStats stats() {
        return stats(countByState());
    }

    /**
     * Like {@link #stats}, but does not look at the processes, however many there are: their map is empty. How many are
     * alive is what was submitted minus what has completed.
     */
    public SchedulerStats quickStats() {
        return stats(Map.of());
    }

    private SchedulerStats stats(Map<ProcessInfo.State, Long> processes) {
        return new SchedulerStats(
                List.copyOf(group.stats()),
                processes,
                group.globalLength(),
                submissions.outside() + group.submitted(),
                completedOutside.sum() + group.completed(),
                routing.messagesOutside(),
                routing.deadLetters(),
                routing.lateAnswers(),
                listeners.failures(),
                group.wakeUps(),
                group.probe.histogram());
    }

    private Map<ProcessInfo.State, Long> countByState() {
        var counts = new EnumMap<ProcessInfo.State, Long>(ProcessInfo.State.class);
        for (int part = 0; part < table.parts(); part++) {
            for (ProcessCell cell : table.part(part)) {
                if (!cell.isUnborn()) {
                    counts.merge(cell.state(), 1L, Long::sum);
                }
            }
        }
        return Map.copyOf(counts);
    }

    // The end.

    /**
     * Ends the scheduler: no process is accepted any more, all are asked to end, and those that have not when the time is
     * up are ended by force. Returns soon after the last process has ended, or when all that are left wait for what
     * cannot come any more; at the latest one second after the timeout, whatever processes do.
     *
     * <p>A second call waits for the first, and returns its report.
     *
     * @param timeout how long processes may take
     * @throws IllegalStateException if a thread of this scheduler calls this: it would wait for itself; or, with {@code
     *     -Dtreadle.check=true}, if the scheduler was found to be at fault
     */
    public ShutdownReport shutdown(Duration timeout) {
        long nanos = Durations.nanosFromZero("timeout", timeout);
        if (OwnThreads.isOwn(config)) {
            OwnThreads.refuseToBlock("shut down its own scheduler");
        }
        ShutdownReport report = shutdown.run(nanos);
        invariants.throwIfViolated();
        return report;
    }

    /** Whether workers have threads, and are not run by hand. */
    boolean isThreaded() {
        return threaded;
    }

    /** The checker of invariants, which found one violated. */
    void stopAtOnce() {
        shutdown.run(0);
    }

    /** Shuts down with the timeout that the builder was given. */
    @Override
    public void close() {
        shutdown(config.shutdownTimeout());
    }

    /** Returns whether {@link #shutdown} was called. */
    public boolean isStopping() {
        return shutdown.isStopping();
    }

    @Override
    public String toString() {
        return "Scheduler[" + config.name() + ", " + config.workers() + " workers, " + table.size() + " processes]";
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import dev.treadle.relay.Delivery;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All that a scheduler holds of one process: its queue and state, what it was started with, its yields in flight, its
 * result. A million of them fit into little memory, so a field here has to be worth it.
 */
final class ProcessCell extends ProcessResult implements ProcessContext {
    /*
     * Three kinds of fields. Set at birth: final. The owner's: touched only by the worker that steps the process, and
     * handed from one to the next by EventQueue and the work queues. Shared: seen by anybody, each with its accessors;
     * opaque where only inspect() reads, since a figure in a report may be a moment old.
     */
    private static final VarHandle PROCESS =
            fieldVarHandle(MethodHandles.lookup(), "process", VarHandle.class, ProcessCell.class, Process.class);
    private static final VarHandle STEPS =
            fieldVarHandle(MethodHandles.lookup(), "steps", VarHandle.class, ProcessCell.class, long.class);
    private static final VarHandle WORKER =
            fieldVarHandle(MethodHandles.lookup(), "worker", VarHandle.class, ProcessCell.class, short.class);
    private static final VarHandle NEXT_IN_TABLE = fieldVarHandle(
            MethodHandles.lookup(), "nextInTable", VarHandle.class, ProcessCell.class, ProcessCell.class);
    private static final VarHandle QUEUED =
            fieldVarHandle(MethodHandles.lookup(), "queued", VarHandle.class, ProcessCell.class, byte.class);

    private static final short NO_WORKER = -1;

    // Whether the next step comes with or without events: the first one does, and one after again().
    static final byte NO_STEP_DUE = 0;
    static final byte STEP_DUE = 1;
    static final byte FIRST_STEP_DUE = 2;

    final Scheduler scheduler;
    final long id;
    final int mailboxCapacity;
    private final long startedNanos;
    private final Map<String, Object> attributes;

    // The owner's; look() reads the first three, and looks twice.
    private @Nullable Process process;
    private String method;
    private @Nullable Pid parent;
    private @Nullable ProcessExtras extras;

    /** What the process said last: {@link ProcessState#IDLE} or {@link ProcessState#BLOCKED}. */
    byte sleepsAs = (byte) ProcessState.IDLE;

    byte stepDue = FIRST_STEP_DUE;

    /**
     * Whether something may wake it that no step is to get: answers to a process that was here before an upgrade, or
     * signals that were taken back. Set by the owner, or before such a signal is pushed: the queue makes it seen.
     */
    boolean mayWakeInVain;

    /**
     * Where a {@link DelayProbe} measures how long it waits, or 0. Written before the cell is pushed, read by the popper.
     */
    short probe;

    /**
     * Whether some of its messages are requests or come from its timers. Set before the first such message is pushed, and
     * read after messages were taken: the queue makes it seen.
     */
    private boolean looksAtMessages;

    // Shared.
    private volatile boolean cancelled;

    /** Which worker ran it last, or runs it. */
    private short worker = NO_WORKER;

    private long steps;

    /** Whether it is in a work queue; only {@link Invariants} sets it, and looks. */
    private byte queued;

    /** Made when asked for. Two threads may make two: they are equal, and final fields make either safe to see. */
    private @Nullable Pid self;

    /** Next in a bucket of the {@link ProcessTable}. */
    private @Nullable ProcessCell nextInTable;

    ProcessCell(Scheduler scheduler, long id, Submission submission, @Nullable ProcessCell parent, long nowNanos) {
        this(scheduler, id, submission.process(), submission.method(), submission, parent, nowNanos);
    }

    /** Takes what was said besides in options, or null if that is nothing. */
    ProcessCell(
            Scheduler scheduler,
            long id,
            Process process,
            String method,
            @Nullable Submission options,
            @Nullable ProcessCell parent,
            long nowNanos) {
        this.scheduler = scheduler;
        this.id = id;
        this.process = process;
        this.method = method;
        Map<String, Object> carried = parent == null ? Map.of() : scheduler.routing.carriedBy(parent);
        this.attributes = options == null ? carried : Attributes.merge(carried, options.attributes());
        this.parent = options != null ? options.parentOr(parent) : parent == null ? null : parent.self();
        int ofScheduler = scheduler.config.mailboxCapacity();
        int capacity = options == null ? ofScheduler : options.mailboxCapacityOr(ofScheduler);
        this.mailboxCapacity = capacity == 0 ? ProcessState.MESSAGES_MAX : capacity;
        this.startedNanos = nowNanos;
    }

    // What a process may use.

    @Override
    public Pid self() {
        Pid self = this.self;
        if (self == null) {
            self = Pid.ofCell(null, scheduler.config.name(), id, this);
            this.self = self;
        }
        return self;
    }

    @Override
    public @Nullable Pid parent() {
        return parent;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public Delivery send(Pid target, String topic, @Nullable Object payload) {
        return scheduler.routing.send(this, target, topic, payload);
    }

    @Override
    public ProcessRef spawn(Process process, String method, @Nullable Object... input) {
        return scheduler.submissions.submit(process, method, Payloads.of(input), null, this);
    }

    @Override
    public ProcessRef spawn(Submission submission) {
        return scheduler.submit(submission, this);
    }

    @Override
    public TimeSource time() {
        return scheduler.config.time();
    }

    @Override
    public RandomGenerator random() {
        return extras().random();
    }

    @Override
    public ProcessTimers timers() {
        return extras();
    }

    @Override
    public boolean reply(Message message, @Nullable Object payload) {
        return answer(message, payload, null);
    }

    @Override
    public boolean replyError(Message message, Throwable error) {
        return answer(
                message,
                null,
                Objects.requireNonNull(error, "error is null: say why the request failed, or use reply"));
    }

    private boolean answer(Message message, @Nullable Object payload, @Nullable Throwable error) {
        Objects.requireNonNull(message, "message is null: give the request to reply to");
        if (!(message.origin() instanceof Request request)) {
            throw new IllegalArgumentException(message + " is not a request, nobody waits for a reply: look at"
                    + " isRequest() before, or send a message to its sender()");
        }
        boolean counts = request.answer(payload, error); // first: the stack may overflow, and then the end must find it
        if (isOwner() && extras != null) {
            extras.forget(request);
        }
        return counts;
    }

    @Override
    public <T> T service(Class<T> type) {
        return scheduler.config.services().find(type, scheduler.name());
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public Map<String, Object> attributes() {
        return attributes;
    }

    @Override
    public Map<String, Object> carried() {
        return scheduler.routing.carriedBy(this);
    }

    // The owner's.

    ProcessExtras extras() {
        ProcessExtras extras = this.extras;
        if (extras == null) {
            extras = new ProcessExtras(this);
            this.extras = extras;
        }
        return extras;
    }

    /** Any thread. Whether it is the one that runs the code of this process, its init included. */
    boolean isOwner() {
        Worker worker = Worker.current();
        return (worker != null && worker.running() == this) || isUnborn();
    }

    /** Any thread. Refuses to do what only the process itself may. */
    void checkOwner(String what) {
        if (!isOwner()) {
            throw new IllegalStateException("cannot " + what + " of process " + self()
                    + " outside of its own init and step: send it a message that tells it to");
        }
    }

    /** Any thread: a timer of this process was cancelled. */
    void forget(MessageTimer timer) {
        if (extras != null && isOwner()) {
            extras.forget(timer);
        }
    }

    /** Any thread, before it pushes a message that is a request or comes from a timer. */
    void looksAtMessages() {
        looksAtMessages = true;
    }

    /** Owner only. */
    boolean isLookingAtMessages() {
        return looksAtMessages;
    }

    /** Owner only. */
    void upgradeExtras(boolean keepsTimers) {
        if (extras != null) {
            extras.upgrade(keepsTimers);
        }
    }

    /** Owner only, at the end. */
    void endExtras() {
        if (extras != null) {
            extras.end();
        }
    }

    @Nullable
    Process process() {
        return process;
    }

    /** Owner only: puts another process in the place of this one. */
    void replace(Process next, String method) {
        PROCESS.setOpaque(this, null); // so that look() sees process and method of one life
        VarHandle.storeStoreFence();
        this.method = method;
        PROCESS.setRelease(this, next); // pairs with getAcquire in look()
        this.stepDue = FIRST_STEP_DUE;
        this.sleepsAs = (byte) ProcessState.IDLE;
    }

    /** Owner only, at the end: lets go of all that a Pid which is kept should not keep. */
    void release() {
        PROCESS.setOpaque(this, null);
        VarHandle.storeStoreFence(); // look() sees the process gone before its parent
        parent = null;
        extras = null;
    }

    /** Owner only. */
    void countStep() {
        STEPS.setOpaque(this, steps + 1);
    }

    /** Owner only. */
    void setWorker(int index) {
        if (worker != index) {
            WORKER.setOpaque(this, (short) index);
        }
    }

    // Shared.

    /** The {@link ProcessTable}, under a lock. */
    void linkInTable(@Nullable ProcessCell next) {
        NEXT_IN_TABLE.setRelease(this, next); // pairs with nextInTable()
    }

    /** The {@link ProcessTable}. */
    @Nullable
    ProcessCell nextInTable() {
        return (ProcessCell) NEXT_IN_TABLE.getAcquire(this);
    }

    /** Any thread. */
    void markCancelled() {
        cancelled = true;
    }

    /** Any thread, for {@link Invariants}. */
    @CheckReturnValue
    boolean casQueued(byte before, byte after) {
        return QUEUED.compareAndSet(this, before, after);
    }

    /** Any thread, for {@link Invariants}; false if they are off. */
    boolean isQueued() {
        return (byte) QUEUED.getVolatile(this) != 0;
    }

    /** Any thread. */
    long steps() {
        return (long) STEPS.getOpaque(this);
    }

    /** Any thread. What the process is doing now; null if it is not born yet or has ended. */
    @Nullable
    ProcessInfo info() {
        var view = new ProcessView(scheduler.config.time().nanos());
        return look(view) ? view.info() : null;
    }

    /** Any thread. Shows what the process is doing now; false, and nothing is shown, if it is not born yet or has ended. */
    @CheckReturnValue
    boolean look(ProcessView view) {
        while (true) {
            int word = shownWord();
            if (!ProcessState.isOpen(word)) {
                return false;
            }
            Process process = (Process) PROCESS.getAcquire(this); // pairs with setRelease in replace()
            String method = this.method;
            Pid parent = this.parent;
            VarHandle.acquireFence();
            if (process != null && process == PROCESS.getOpaque(this)) {
                String type = process.getClass().getTypeName();
                int waiting = Math.min(ProcessState.messages(word), mailboxCapacity);
                view.show(this, state(word), type, method, parent, waiting);
                return true;
            }
            Thread.onSpinWait(); // it is being replaced, or ends: both are a few stores
        }
    }

    /** The submitter's thread, before the process is open. */
    ProcessInfo infoAtStart(Process process) {
        var view = new ProcessView(scheduler.config.time().nanos());
        view.show(this, ProcessInfo.State.READY, process.getClass().getTypeName(), method, parent, 0);
        return view.info();
    }

    long startedNanos() {
        return startedNanos;
    }

    /** Any thread. The worker that runs it or ran it last, or -1. */
    int worker() {
        return (short) WORKER.getOpaque(this);
    }

    /** Any thread. Whether its init still runs, and nobody is to see it. */
    boolean isUnborn() {
        return ProcessState.state(word()) == ProcessState.UNBORN;
    }

    /** Any thread. Whether it is there for others: born, and not at its end. */
    boolean isOpen() {
        return ProcessState.isOpen(word());
    }

    /** Any thread. The state of this moment in the specification's words; an unborn process counts as ready. */
    ProcessInfo.State state() {
        return state(word());
    }

    private ProcessInfo.State state(int word) {
        return switch (ProcessState.state(word)) {
            case ProcessState.BLOCKED -> ProcessInfo.State.BLOCKED;
            case ProcessState.IDLE -> ProcessInfo.State.IDLE;
            case ProcessState.COMPLETE -> ProcessInfo.State.COMPLETE;
            default -> isRunning() ? ProcessInfo.State.RUNNING : ProcessInfo.State.READY;
        };
    }

    private boolean isRunning() {
        int worker = worker();
        return worker != NO_WORKER && scheduler.group.isRunning(this, worker);
    }

    @Override
    public String toString() {
        return self() + " " + super.toString();
    }
}

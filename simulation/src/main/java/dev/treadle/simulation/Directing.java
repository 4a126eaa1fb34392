// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Command;
import dev.treadle.Completion;
import dev.treadle.DeadLetter;
import dev.treadle.Director;
import dev.treadle.Event;
import dev.treadle.Handler;
import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import dev.treadle.ProcessInfo;
import dev.treadle.ResultReceiver;
import dev.treadle.SchedulerListener;
import dev.treadle.command.Ask;
import dev.treadle.simulation.Choices.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Directs the schedulers of a run: makes their decisions, lets things go wrong, and writes down what happens. */
final class Directing implements Director, SchedulerListener {
    private static final int CRASH_BEFORE = 1;
    private static final int CRASH_AFTER = 2;

    /** How many events a step gets by the decision; the plain one is all that it may. */
    private static final int[] BATCHES = {Integer.MAX_VALUE, 1, 2, 4};

    private final Run run;
    private final StandIns standIns;
    private final Map<Pid, String> types = new HashMap<>();
    private final Set<Pid> toCrash = new HashSet<>();
    private @Nullable World world;
    private boolean crashDue;
    private boolean hasTimeout;

    Directing(Run run, StandIns standIns) {
        this.run = run;
        this.standIns = standIns;
    }

    void world(World world) {
        this.world = world;
    }

    /** How many processes are alive, on all nodes. */
    int alive() {
        return types.size();
    }

    Set<Pid> processes() {
        return Set.copyOf(types.keySet());
    }

    /** Crashes a process in its next step. */
    void crash(Pid pid) {
        toCrash.add(pid);
    }

    // What is decided.

    @Override
    public int eventBudget(Pid process, int budget) {
        return Math.min(budget, BATCHES[run.choices.choose(Kind.BATCH, BATCHES.length)]);
    }

    @Override
    public boolean turn(long untilNanos) {
        return run.turn(untilNanos);
    }

    @Override
    public long nanos() {
        return run.time.nanos();
    }

    @Override
    public boolean refuses(Pid target, Message message) {
        if (run.fault(Kind.FULL, run.faults.fullRate, 2) == 0) {
            return false;
        }
        run.recording.add(TraceEvent.Kind.FAULT, target, "has a full mailbox");
        return true;
    }

    // What happens.

    @Override
    public void beforeStep(Pid process, List<Event> events) {
        Object[] shown = new Object[events.size()];
        var received = new ArrayList<Long>(shown.length);
        for (int i = 0; i < shown.length; i++) {
            Event event = events.get(i);
            shown[i] = event;
            if (event instanceof Completion completion) {
                run.waits.ended(process, completion.tag());
            } else if (event instanceof Message message) {
                received.add(run.recording.received(message));
            }
        }
        run.recording.step(process, received, shown);
        int crash = toCrash.remove(process) ? CRASH_BEFORE : crashes(process);
        if (crash != 0) {
            run.recording.add(
                    TraceEvent.Kind.FAULT, process, crash == CRASH_BEFORE ? "crashes" : "crashes after its step");
        }
        crashDue = crash == CRASH_AFTER;
        if (crash == CRASH_BEFORE) {
            throw new SimulatedCrash("crashed by the simulation");
        }
    }

    private int crashes(Pid process) {
        if (run.faults.crashRate <= 0 || !run.faults.crashes(types.getOrDefault(process, ""))) {
            return 0;
        }
        return run.fault(Kind.CRASH, run.faults.crashRate, 3);
    }

    @Override
    public void afterStep(Pid process, String said, @Nullable Throwable thrown) {
        if (crashDue) {
            crashDue = false;
            throw new SimulatedCrash("crashed by the simulation after its step");
        }
    }

    @Override
    public void sent(Pid target, Message message) {
        run.recording.between(
                TraceEvent.Kind.SEND,
                target,
                message.sender(),
                run.recording.sent(message),
                message.topic(),
                message.payload());
    }

    @Override
    public void yielded(Pid process, Command command, long tag, long timeoutNanos) {
        hasTimeout = timeoutNanos != NO_TIMEOUT;
        run.waits.began(process, command, tag, timeoutNanos);
        Pid target = command instanceof Ask ask ? ask.target() : null;
        run.recording.between(TraceEvent.Kind.COMMAND, process, target, 0, tag, command);
    }

    @Override
    public void onStart(ProcessInfo process) {
        types.put(process.pid(), process.type());
        run.recording.between(
                TraceEvent.Kind.START,
                process.pid(),
                process.parent(),
                0,
                Render.name(process.type()),
                process.method());
    }

    @Override
    public void onComplete(ProcessExit exit) {
        types.remove(exit.pid());
        toCrash.remove(exit.pid());
        run.waits.ended(exit.pid());
        if (exit.reason() instanceof AssertionError violated) {
            run.fail(new Failure(
                    Failure.Kind.THROWN,
                    violated.getClass().getTypeName(),
                    "process " + exit.pid() + " threw " + Render.error(violated),
                    List.of(exit.pid()),
                    violated));
        }
        run.recording.add(TraceEvent.Kind.END, exit.pid(), exit.kind(), exit.isDone() ? exit.result() : exit.reason());
    }

    @Override
    public void onDeadLetter(DeadLetter letter) {
        run.recording.between(
                TraceEvent.Kind.DEAD_LETTER,
                letter.envelope().target(),
                letter.envelope().sender(),
                0,
                letter.envelope().topic(),
                letter.envelope().payload(),
                letter.reason());
    }

    // Commands.

    @Override
    public Set<Class<? extends Command>> standIns() {
        return standIns.commands();
    }

    @Override
    public void handle(Command command, ResultReceiver receiver, HandlerKind kind, Handler<Command> own)
            throws Exception {
        StandIn<Command> standIn = standIns.find(command.getClass());
        if (kind == HandlerKind.BUILT_IN && standIn == null) {
            own.handle(command, receiver);
            return;
        }
        boolean mayTimeOut = hasTimeout;
        if (run.fault(Kind.COMMAND, run.faults.failRate, 2) == 1) {
            run.recording.add(TraceEvent.Kind.FAULT, receiver.pid(), "command", receiver.tag(), "fails");
            receiver.fail(new SimulatedFault("failed by the simulation"));
            return;
        }
        if (mayTimeOut && run.fault(Kind.COMMAND, run.faults.timeoutRate, 2) == 1) {
            run.recording.add(TraceEvent.Kind.FAULT, receiver.pid(), "command", receiver.tag(), "is lost");
            return;
        }
        var answering = new Answering(run, receiver);
        if (standIn != null) {
            answering.with(standIn, command, world());
        } else if (kind == HandlerKind.BLOCKING) {
            run.fail(left(command, receiver, "was registered as blocking, and runs on a thread of its own"));
        } else if (kind == HandlerKind.ASYNC) {
            run.fail(left(command, receiver, "was registered as asynchronous, and something outside answers it"));
        } else {
            own.handle(command, answering);
        }
    }

    private World world() {
        return Objects.requireNonNull(world, "there is no world yet");
    }

    private static Failure left(Command command, ResultReceiver receiver, String why) {
        String name = Render.name(command.getClass());
        return new Failure(
                Failure.Kind.LEFT,
                name,
                "the handler of " + command.getClass().getTypeName() + " would leave the simulation: it " + why
                        + ". Give a stand-in: simulate(" + name + ".class, (command, world) -> Answer.of(...))",
                List.of(receiver.pid()),
                null);
    }

    /** The answer of a command, which comes when the run decides. */
    static final class Answering implements ResultReceiver {
        private final Run run;
        private final ResultReceiver receiver;
        private volatile boolean answered;

        Answering(Run run, ResultReceiver receiver) {
            this.run = run;
            this.receiver = receiver;
        }

        void with(StandIn<Command> standIn, Command command, World world) throws Exception {
            Object given = standIn.answer(command, world);
            boolean isPlain = !(given instanceof Answer);
            Answer answer = given instanceof Answer full ? full : Answer.of(given);
            if (answer.isNever()) {
                return;
            }
            Throwable failure = answer.failure(run.choices);
            Throwable error = failure != null ? failure : answer.error();
            long nanos = answer.latencyNanos(run.choices);
            if (isPlain && nanos == 0 && run.choices.choose(Kind.DELAY, 2) == 0) {
                answer(receiver.tag(), error == null ? answer.data() : null, error, 0, false);
            } else {
                answer(receiver.tag(), error == null ? answer.data() : null, error, nanos, true);
            }
        }

        @Override
        public boolean completeYield(long tag, @Nullable Object data, @Nullable Throwable error) {
            if (Thread.currentThread() != run.thread) {
                run.fail(new Failure(
                        Failure.Kind.LEFT,
                        "thread",
                        "a command of " + pid() + " was answered by thread \""
                                + Thread.currentThread().getName()
                                + "\", which the simulation does not run: give its command a stand-in with simulate()",
                        List.of(pid()),
                        null));
                return false;
            }
            if (answered) {
                return receiver.completeYield(tag, data, error); // which counts it as late
            }
            return answer(tag, data, error, 0, false);
        }

        private boolean answer(long tag, @Nullable Object data, @Nullable Throwable error, long nanos, boolean later) {
            answered = true;
            long delay = nanos;
            boolean isLater = later;
            if (run.fault(Kind.COMMAND, run.faults.delayRate, 2) == 1) {
                delay += Delays.choose(run.choices, Kind.DELAY, run.faults.delayNanosMax);
                isLater = true;
                run.recording.add(
                        TraceEvent.Kind.FAULT, pid(), "answer", tag, "is delayed by", Duration.ofNanos(delay - nanos));
            }
            boolean twice = run.fault(Kind.COMMAND, run.faults.duplicateRate, 2) == 1;
            if (twice) {
                run.recording.add(TraceEvent.Kind.FAULT, pid(), "answer", tag, "comes twice");
                run.agenda.add(run.time.nanos() + delay, () -> receiver.completeYield(tag, data, error));
            }
            if (!isLater) {
                return receiver.completeYield(tag, data, error);
            }
            run.agenda.add(run.time.nanos() + delay, () -> receiver.completeYield(tag, data, error));
            return !receiver.isCancelled();
        }

        @Override
        public Pid pid() {
            return receiver.pid();
        }

        @Override
        public long tag() {
            return receiver.tag();
        }

        @Override
        public Map<String, Object> attributes() {
            return receiver.attributes();
        }

        @Override
        public void onCancel(Runnable action) {
            receiver.onCancel(action);
        }

        @Override
        public boolean isCancelled() {
            return receiver.isCancelled();
        }
    }
}

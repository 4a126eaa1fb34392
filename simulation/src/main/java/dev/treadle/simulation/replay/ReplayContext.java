// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.ProcessTimer;
import dev.treadle.ProcessTimers;
import dev.treadle.StepHarness;
import dev.treadle.Submission;
import dev.treadle.TimeSource;
import dev.treadle.node.NodeCalls;
import dev.treadle.relay.Delivery;
import dev.treadle.simulation.replay.Entry.Answer;
import dev.treadle.simulation.replay.Entry.Begin;
import dev.treadle.simulation.replay.Entry.NodeCall;
import dev.treadle.simulation.replay.Entry.Reply;
import dev.treadle.simulation.replay.Entry.Send;
import dev.treadle.simulation.replay.Entry.Spawn;
import dev.treadle.simulation.replay.Entry.TimerCancel;
import dev.treadle.simulation.replay.Entry.TimerSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The context that a replayed process sees: it does nothing, compares, and tells what was told when it was recorded. */
final class ReplayContext implements ProcessContext, NodeCalls, AutoCloseable {
    private final ReplayRun run;
    private final Begin begin;
    private final ValueBuilder builder;
    private final ReplayEvents events;
    private final Map<Class<?>, Object> services;
    private final Map<String, Object> attributes;
    private final Map<Message, Long> requests = new WeakHashMap<>();
    private final ReplayRefs refs = new ReplayRefs();
    private final RandomGenerator random;
    private final TimeSource time;
    private final ProcessTimers timers = new Timers();
    private boolean cancelled;

    ReplayContext(ReplayRun run, Begin begin, ValueBuilder builder, Map<Class<?>, Object> services) {
        this.run = run;
        this.begin = begin;
        this.builder = builder;
        this.events = new ReplayEvents(begin.pid(), builder);
        this.services = services;
        this.attributes = Map.copyOf(events.attributes(begin.attributes()));
        this.random = new ReplayRandom(run);
        this.time = new Time(begin.at());
    }

    void requested(Message message, long number) {
        requests.put(message, number);
    }

    @Override
    public Pid self() {
        return begin.pid();
    }

    @Override
    public @Nullable Pid parent() {
        return begin.parent();
    }

    @Override
    public String method() {
        return begin.method();
    }

    @Override
    public Delivery send(Pid target, String topic, @Nullable Object payload) {
        Objects.requireNonNull(target, "target is null: give the Pid of the receiver");
        Objects.requireNonNull(topic, "topic is null: name what the message is about, or use an empty string");
        return ((Send) run.deed(new Send(target, topic, payload, Delivery.DELIVERED))).delivery();
    }

    @Override
    public ProcessRef spawn(Process process, String method, @Nullable Object... input) {
        return spawn(Submission.of(process, method, input));
    }

    @Override
    public ProcessRef spawn(Submission submission) {
        StepHarness.Submitted submitted = StepHarness.submitted(submission);
        Spawn recorded = (Spawn) run.deed(new Spawn(
                RecordingProcess.typeOf(submitted.process()),
                submitted.method(),
                submitted.input().asList(),
                submitted.attributes(),
                null,
                null));
        Pid child = recorded.child();
        if (child != null) {
            return refs.to(child);
        }
        throw thrown(recorded.error());
    }

    private RuntimeException thrown(@Nullable Object recorded) {
        Object error = builder.object(recorded);
        if (error instanceof Error fatal) {
            throw fatal;
        }
        return error instanceof RuntimeException unchecked
                ? unchecked
                : new RecordedFailure("unknown", "it failed, and the recording does not say with what");
    }

    @Override
    public <T> T call(
            String method,
            List<?> arguments,
            Supplier<T> call,
            Function<? super T, Object> toPlain,
            Function<Object, T> fromPlain) {
        NodeCall recorded = (NodeCall) run.deed(new NodeCall(method, arguments, null, null));
        Object result = builder.object(recorded.result());
        if (result == null) {
            throw thrown(recorded.error());
        }
        return fromPlain.apply(result);
    }

    @Override
    public ProcessRef ref(Pid pid) {
        return refs.to(pid);
    }

    @Override
    public TimeSource time() {
        return time;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public ProcessTimers timers() {
        return timers;
    }

    @Override
    public boolean reply(Message message, @Nullable Object payload) {
        return ((Reply) run.deed(new Reply(numberOf(message), payload, null, false))).accepted();
    }

    @Override
    public boolean replyError(Message message, Throwable error) {
        Objects.requireNonNull(error, "error is null: say why the request failed, or use reply");
        return ((Reply) run.deed(new Reply(numberOf(message), null, error, false))).accepted();
    }

    private long numberOf(Message message) {
        Objects.requireNonNull(message, "message is null: give the request to reply to");
        if (!message.isRequest()) {
            throw new IllegalArgumentException(message + " is not a request, nobody waits for a reply: look at"
                    + " isRequest() before, or send a message to its sender()");
        }
        return requests.getOrDefault(message, 0L);
    }

    @Override
    public <T> T service(Class<T> type) {
        Object standIn = services.get(type);
        if (standIn == null) {
            throw run.stop("it asks for the service " + type.getTypeName()
                    + ", which is not recorded: give the replay a stand-in with service(...)");
        }
        return type.cast(standIn);
    }

    @Override
    public boolean isCancelled() {
        Answer answer = run.answer(Question.IS_CANCELLED);
        if (answer != null) {
            cancelled = answer.number() != 0;
        }
        return cancelled;
    }

    @Override
    public Map<String, Object> attributes() {
        return attributes;
    }

    @Override
    public Map<String, Object> carried() {
        Answer answer = run.answer(Question.CARRIED);
        return answer == null ? attributes : Map.copyOf(events.attributes(answer.object()));
    }

    @Override
    public void close() {
        refs.close();
    }

    /** The recorded times; if it is asked more often, the last one again. */
    private final class Time implements TimeSource {
        private long nanos;
        private Instant instant;

        Time(Instant instant) {
            this.instant = instant;
        }

        @Override
        public long nanos() {
            Answer answer = run.answer(Question.NANOS);
            if (answer != null) {
                nanos = answer.number();
            }
            return nanos;
        }

        @Override
        public Instant instant() {
            Answer answer = run.answer(Question.INSTANT);
            if (answer != null && builder.object(answer.object()) instanceof Instant recorded) {
                instant = recorded;
            }
            return instant;
        }
    }

    /** Timers never fire here: their messages are in the recording. */
    private final class Timers implements ProcessTimers {
        private long set;

        @Override
        public ProcessTimer after(Duration delay, String topic, @Nullable Object payload) {
            return set(false, delay, topic, payload);
        }

        @Override
        public ProcessTimer every(Duration period, String topic, @Nullable Object payload) {
            return set(true, period, topic, payload);
        }

        private ProcessTimer set(boolean periodic, Duration duration, String topic, @Nullable Object payload) {
            long number = ++set;
            run.deed(new TimerSet(number, periodic, Nanos.of(duration), topic, payload));
            return new Timer(number);
        }
    }

    private final class Timer implements ProcessTimer {
        private final long number;
        private boolean cancelled;

        Timer(long number) {
            this.number = number;
        }

        @Override
        public void cancel() {
            run.deed(new TimerCancel(number));
            cancelled = true;
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }
    }
}

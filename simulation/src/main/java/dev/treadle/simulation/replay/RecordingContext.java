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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The context that a recorded process sees: the real one, with a note of all that the process does, and of all that it is told.
 * What other threads do with it, it passes on without a note.
 */
final class RecordingContext implements ProcessContext, NodeCalls {
    private final Recorder recorder;
    private final ProcessContext context;
    private final LifeLog log;
    private final TimeSource time = new Time();

    /** The number of each request, for as long as somebody may reply to it. Messages are equal only to themselves. */
    private final Map<Message, Long> requests = new WeakHashMap<>();

    private @Nullable RandomGenerator random;
    private @Nullable Timers timers;

    /** Whether a call of the NodeContext is under way: what it does with this context is part of it. The process's thread only. */
    private boolean inNodeCall;

    RecordingContext(Recorder recorder, ProcessContext context, LifeLog log) {
        this.recorder = recorder;
        this.context = context;
        this.log = log;
    }

    void requested(Message message, long number) {
        requests.put(message, number);
    }

    private void note(Entry entry) {
        if (log.isRunning() && !inNodeCall) {
            log.add(entry);
        }
    }

    private void answer(Question question, long number) {
        note(new Entry.Answer(question, number, null));
    }

    @Override
    public Pid self() {
        return context.self();
    }

    @Override
    public @Nullable Pid parent() {
        return context.parent();
    }

    @Override
    public String method() {
        return context.method();
    }

    @Override
    public Delivery send(Pid target, String topic, @Nullable Object payload) {
        Delivery delivery = context.send(target, topic, payload);
        note(new Entry.Send(target, topic, payload, delivery));
        return delivery;
    }

    @Override
    public ProcessRef spawn(Process process, String method, @Nullable Object... input) {
        return spawn(Submission.of(process, method, input));
    }

    @Override
    public ProcessRef spawn(Submission submission) {
        StepHarness.Submitted submitted = StepHarness.submitted(submission);
        Submission starting =
                recorder.recordsChildren() ? StepHarness.around(submission, recorder::recording) : submission;
        try {
            ProcessRef child = context.spawn(starting);
            note(spawned(submitted, child.pid(), null));
            return child;
        } catch (RuntimeException | Error thrown) {
            note(spawned(submitted, null, thrown));
            throw thrown;
        }
    }

    private static Entry spawned(StepHarness.Submitted submitted, @Nullable Pid child, @Nullable Throwable error) {
        return new Entry.Spawn(
                RecordingProcess.typeOf(submitted.process()),
                submitted.method(),
                submitted.input().asList(),
                submitted.attributes(),
                child,
                error);
    }

    @Override
    public TimeSource time() {
        return time;
    }

    @Override
    public RandomGenerator random() {
        RandomGenerator random = this.random;
        if (random == null) {
            random = new RecordingRandom(context.random(), (question, number, object) -> {
                note(new Entry.Answer(question, number, object));
            });
            this.random = random;
        }
        return random;
    }

    @Override
    public ProcessTimers timers() {
        Timers timers = this.timers;
        if (timers == null) {
            timers = new Timers(context.timers());
            this.timers = timers;
        }
        return timers;
    }

    @Override
    public boolean reply(Message message, @Nullable Object payload) {
        boolean accepted = context.reply(message, payload);
        note(new Entry.Reply(numberOf(message), payload, null, accepted));
        return accepted;
    }

    @Override
    public boolean replyError(Message message, Throwable error) {
        boolean accepted = context.replyError(message, error);
        note(new Entry.Reply(numberOf(message), null, error, accepted));
        return accepted;
    }

    private long numberOf(Message message) {
        return log.isRunning() ? requests.getOrDefault(message, 0L) : 0;
    }

    @Override
    public <T> T service(Class<T> type) {
        return context.service(type);
    }

    @Override
    public boolean isCancelled() {
        boolean cancelled = context.isCancelled();
        answer(Question.IS_CANCELLED, cancelled ? 1 : 0);
        return cancelled;
    }

    @Override
    public Map<String, Object> attributes() {
        return context.attributes();
    }

    @Override
    public Map<String, Object> carried() {
        Map<String, Object> carried = context.carried();
        note(new Entry.Answer(Question.CARRIED, 0, carried));
        return carried;
    }

    @Override
    public <T> T call(
            String method,
            List<?> arguments,
            Supplier<T> call,
            Function<? super T, Object> toPlain,
            Function<Object, T> fromPlain) {
        if (!log.isRunning() || inNodeCall) {
            return call.get();
        }
        inNodeCall = true;
        T result;
        try {
            result = call.get();
        } catch (RuntimeException | Error thrown) {
            inNodeCall = false;
            note(new Entry.NodeCall(method, arguments, null, thrown));
            throw thrown;
        }
        inNodeCall = false;
        note(new Entry.NodeCall(method, arguments, toPlain.apply(result), null));
        return result;
    }

    @Override
    public ProcessRef ref(Pid pid) {
        throw new IllegalStateException("a call that was made needs no reference to be made");
    }

    private final class Time implements TimeSource {
        @Override
        public long nanos() {
            long nanos = context.time().nanos();
            answer(Question.NANOS, nanos);
            return nanos;
        }

        @Override
        public Instant instant() {
            Instant instant = context.time().instant();
            note(new Entry.Answer(Question.INSTANT, 0, instant));
            return instant;
        }
    }

    private final class Timers implements ProcessTimers {
        private final ProcessTimers timers;
        private long set;

        Timers(ProcessTimers timers) {
            this.timers = timers;
        }

        @Override
        public ProcessTimer after(Duration delay, String topic, @Nullable Object payload) {
            return noted(timers.after(delay, topic, payload), false, delay, topic, payload);
        }

        @Override
        public ProcessTimer every(Duration period, String topic, @Nullable Object payload) {
            return noted(timers.every(period, topic, payload), true, period, topic, payload);
        }

        private ProcessTimer noted(
                ProcessTimer timer, boolean periodic, Duration duration, String topic, @Nullable Object payload) {
            long number = ++set;
            note(new Entry.TimerSet(number, periodic, Nanos.of(duration), topic, payload));
            return new Timer(timer, number);
        }
    }

    private final class Timer implements ProcessTimer {
        private final ProcessTimer timer;
        private final long number;

        Timer(ProcessTimer timer, long number) {
            this.timer = timer;
            this.number = number;
        }

        @Override
        public void cancel() {
            timer.cancel();
            note(new Entry.TimerCancel(number));
        }

        @Override
        public boolean isCancelled() {
            return timer.isCancelled();
        }

        @Override
        public String toString() {
            return timer.toString();
        }
    }
}

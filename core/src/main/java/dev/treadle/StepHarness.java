// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Envelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stands where a worker stands: runs a single step without a scheduler, and shows what a step got and wrote. For unit tests of
 * a process, and for tools that put themselves between the scheduler and a process, such as a recorder.
 *
 * <pre>{@code
 * var counter = new Counter();
 * StepHarness.Written written = StepHarness.step(counter, Events.of(Message.of("add", 2)), at -> {});
 * assertThat(written.result()).isEqualTo(42);
 * }</pre>
 *
 * <p>Nothing here is called by a scheduler.
 */
public final class StepHarness {
    /** The position of something that was written, if nobody looked while the step ran. */
    public static final int UNKNOWN_POSITION = -1;

    private StepHarness() {}

    /** What a process does after a step. */
    public enum Next {
        /** It waits for a completion or a signal. */
        AWAIT,
        /** It waits for any event. */
        IDLE,
        /** It wants another step. */
        AGAIN,
        /** It ends. */
        DONE,
        /** Another process takes its place. */
        UPGRADE
    }

    /**
     * A command that a step yielded.
     *
     * @param command the command
     * @param tag its tag
     * @param timeoutNanos how long it may take, or 0 if there is no limit
     * @param position how many events the step had gone to, or {@link #UNKNOWN_POSITION}
     */
    public record Yielded(Command command, long tag, long timeoutNanos, int position) {}

    /**
     * What takes the place of a process.
     *
     * @param process the next process
     * @param method its entry point
     * @param input its arguments
     * @param keepsYields whether it takes over the commands that still run
     */
    public record Successor(Process process, String method, Payloads input, boolean keepsYields) {}

    /**
     * What a step wrote.
     *
     * @param yields the commands, in order
     * @param next what the process does next; the default if the step said nothing
     * @param result what it is done with, or null
     * @param successor what takes its place, or null
     * @param position how many events the step had gone to when it said so, or {@link #UNKNOWN_POSITION}
     */
    public record Written(
            List<Yielded> yields,
            Next next,
            @Nullable Object result,
            @Nullable Successor successor,
            int position) {
        /** Copies the yields. */
        public Written {
            yields = List.copyOf(yields);
        }
    }

    /**
     * What a submission says.
     *
     * @param process the process
     * @param method its entry point
     * @param input its arguments
     * @param attributes those that were set, without those that it inherits
     */
    public record Submitted(Process process, String method, Payloads input, Map<String, Object> attributes) {}

    /** Returns the events of a step, without going to any of them: what the step carries does not change. */
    public static List<Event> events(Events events) {
        var copy = new ArrayList<Event>(events.size());
        for (int i = 0; i < events.size(); i++) {
            copy.add(events.peek(i));
        }
        return copy;
    }

    /** Returns how many events a step has gone to; it is at the last of them. */
    public static int position(Events events) {
        return events.seen();
    }

    /** The thread that runs the step: returns what it wrote so far. */
    public static Written written(StepOutput out) {
        return new Look(out).written();
    }

    /**
     * Runs a step on this thread. Its {@code init} is the caller's to call, before the first.
     *
     * @param process the process
     * @param events what it gets; from {@link Events#ofFirst} for the first step
     * @param onNext called each time the step goes to an event, with how many it has gone to; a test gives {@code at -> {}}
     * @return what it wrote
     * @throws Exception what the step throws
     */
    public static Written step(Process process, Events events, IntConsumer onNext) throws Exception {
        Objects.requireNonNull(events, "events is null: use Events.of()");
        Objects.requireNonNull(onNext, "onNext is null: give at -> {} to hear of nothing");
        var out = new StepOutput();
        var look = new Look(out);
        events.onNext(() -> {
            look.at(events.seen());
            onNext.accept(events.seen());
        });
        out.open();
        try {
            process.step(events, out);
        } finally {
            out.seal();
        }
        look.at(look.position);
        return look.written();
    }

    /** Returns the message that an envelope brings: with its sender and attributes, and a request if it has a reply address. */
    public static Message message(Envelope envelope) {
        Origin origin = envelope.replyTo() == null
                ? new Origin.Carrying(envelope.sender(), envelope.attributes())
                : new Request.OfEnvelope(envelope, envelope.replyTo());
        return Message.from(origin, envelope.topic(), envelope.payload());
    }

    /** Returns a completion that carries attributes. */
    public static Completion completion(
            long tag, @Nullable Object data, @Nullable Throwable error, Map<String, Object> attributes) {
        return new Completion.Given(tag, data, error, Map.copyOf(attributes));
    }

    /** Returns what a submission says. */
    public static Submitted submitted(Submission submission) {
        return new Submitted(submission.process(), submission.method(), submission.input(), submission.attributes());
    }

    /** Returns a submission with another process around, or in the place of, its own. */
    public static Submission around(Submission submission, UnaryOperator<Process> wrapper) {
        return submission.process(Objects.requireNonNull(
                wrapper.apply(submission.process()), "the wrapper returned null: return the process to start"));
    }

    /** Looks at what a step writes, as often as it goes to an event. */
    private static final class Look {
        private final StepOutput out;
        private final List<Integer> yieldedAt = new ArrayList<>();
        private StepOutput.@Nullable Status said;
        private int saidAt = UNKNOWN_POSITION;
        private int position;

        Look(StepOutput out) {
            this.out = out;
        }

        /** What is new was written at the position before this one. */
        void at(int next) {
            while (yieldedAt.size() < out.yields()) {
                yieldedAt.add(position);
            }
            StepOutput.Status says = out.status();
            if (says != said) {
                said = says;
                saidAt = position;
            }
            position = next;
        }

        private static Next next(StepOutput.Status status) {
            return switch (status) {
                case AWAIT -> Next.AWAIT;
                case IDLE -> Next.IDLE;
                case AGAIN -> Next.AGAIN;
                case DONE -> Next.DONE;
                case UPGRADE -> Next.UPGRADE;
            };
        }

        Written written() {
            var yields = new ArrayList<Yielded>(out.yields());
            for (int i = 0; i < out.yields(); i++) {
                int at = i < yieldedAt.size() ? yieldedAt.get(i) : UNKNOWN_POSITION;
                yields.add(new Yielded(out.command(i), out.tag(i), out.timeoutNanos(i), at));
            }
            StepOutput.Status status = out.status();
            Successor successor = null;
            if (status == StepOutput.Status.UPGRADE) {
                StepOutput.Upgrade upgrade = out.upgrade();
                successor = new Successor(upgrade.next(), upgrade.method(), upgrade.input(), upgrade.keepsYields());
            }
            return new Written(yields, next(status), out.result(), successor, saidAt);
        }
    }
}

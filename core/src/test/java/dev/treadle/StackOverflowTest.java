// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.command.Ask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** A stack that overflows anywhere, inside of {@code send} too, harms nobody but its own process. */
class StackOverflowTest {
    private static final int RECEIVERS = 64;

    /** Sends to another idle process in each frame of a recursion without end. */
    private static final class Digger implements Process {
        private final List<ProcessRef> receivers;
        private final boolean sendsOnAfter;
        private ProcessContext context;
        private int depth;

        Digger(List<ProcessRef> receivers, boolean sendsOnAfter) {
            this.receivers = receivers;
            this.sendsOnAfter = sendsOnAfter;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            dig();
        }

        @SuppressWarnings("InfiniteRecursion")
        private void dig() {
            Pid receiver = receivers.get(depth++ % RECEIVERS).pid();
            context.send(receiver, "dug", null);
            if (!sendsOnAfter) {
                dig();
                return;
            }
            try {
                dig();
            } catch (StackOverflowError e) {
                context.send(receiver, "overflown", null);
                throw e;
            }
        }
    }

    @AtWorkers
    void noReceiverIsLost(int workers) {
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).mailboxCapacity(0).start()) {
            var receivers = new ArrayList<ProcessRef>();
            for (int i = 0; i < RECEIVERS; i++) {
                receivers.add(scheduler.submit(new Answering(), "main"));
            }
            for (int round = 0; round < 40; round++) {
                ProcessRef digger = scheduler.submit(new Digger(receivers, round % 4 == 3), "main");
                assertThat(Soon.exitOf(digger).reason()).isInstanceOf(StackOverflowError.class);
                List<CompletableFuture<Object>> answers = receivers.stream()
                        .map(receiver -> receiver.ask("there?", null, Duration.ofMinutes(1)))
                        .toList();
                answers.forEach(answer -> assertThat(Soon.get(answer)).isEqualTo("here"));
            }
        }
    }

    /** Does something in each of the last frames before a stack overflows, from the deepest up. */
    private static final class LastFrames {
        private final IntConsumer action;
        private final int most;
        private int done;

        LastFrames(int most, IntConsumer action) {
            this.most = most;
            this.action = action;
        }

        void run() {
            try {
                dig();
            } catch (StackOverflowError e) {
                // of the action in the last frame: the user's to catch
            }
        }

        @SuppressWarnings("InfiniteRecursion")
        private void dig() {
            try {
                dig();
            } catch (StackOverflowError e) {
                if (done < most) {
                    action.accept(done++);
                }
            }
        }
    }

    /** Answered on the spot from the last frames of its stack. */
    private record Deep() implements Command {}

    /** Y1: a handler that answers from any depth has answered, or it has not. */
    @AtWorkers
    void noAnswerOnTheSpotIsLost(int workers) {
        int rounds = 100;
        var registry = new CommandRegistry()
                .register(
                        Deep.class, (command, receiver) -> new LastFrames(500, i -> receiver.complete("answer")).run());
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).handlers(registry).start()) {
            ProcessRef ref = scheduler.submit(
                    new TrackedProcess((events, out) -> {
                        for (Event event : events) {
                            if (event instanceof Completion completion && completion.tag() == rounds) {
                                out.done();
                            }
                        }
                        long tag = events.isEmpty() ? 1 : ((Completion) events.get(0)).tag() + 1;
                        if (tag <= rounds) {
                            out.yield(new Deep(), tag);
                        }
                    }),
                    "main");
            assertThat(Soon.exitOf(ref).isDone()).isTrue();
        }
    }

    /** A reply is given, or the asker hears that the other ended without one. */
    @Test
    void noAskerIsLeft() throws InterruptedException {
        int askers = 100;
        try (Scheduler scheduler = Scheduler.builder().workers(2).start()) {
            for (int round = 0; round < 10; round++) {
                var asked = new CountDownLatch(askers);
                var target = new Replying(asked);
                ProcessRef ref = scheduler.submit(target, "main");
                var all = new ArrayList<ProcessRef>();
                for (int i = 0; i < askers; i++) {
                    all.add(scheduler.submit(
                            Process.of((events, out) -> {
                                if (events.isFirst()) {
                                    out.yield(new Ask(ref.pid(), "question", null), 1);
                                } else {
                                    out.done();
                                }
                            }),
                            "main"));
                }
                asked.await();
                ref.send("go", null);
                all.forEach(Soon::exitOf);
            }
        }
    }

    /** Replies to all at once, when told, from the last frames of its stack. */
    private static final class Replying implements Process {
        private final List<Message> requests = new ArrayList<>();
        private final CountDownLatch asked;
        private ProcessContext context;

        Replying(CountDownLatch asked) {
            this.asked = asked;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.isRequest()) {
                    requests.add(message);
                    asked.countDown();
                } else {
                    new LastFrames(requests.size(), i -> context.reply(requests.get(i), "reply")).run();
                    out.done();
                }
            }
        }
    }

    @Test
    void noProcessIsHalfStarted() {
        try (Scheduler scheduler = Scheduler.builder().workers(2).start()) {
            for (int round = 0; round < 20; round++) {
                var process = new TrackedProcess((events, out) -> {
                    new LastFrames(200, i -> scheduler.submit(Process.of((none, done) -> done.done()), "main")).run();
                    out.done();
                });
                Soon.exitOf(scheduler.submit(process, "main"));
            }
            Soon.until(() -> scheduler.table.size() == 0);
            for (int part = 0; part < scheduler.table.parts(); part++) {
                assertThat(scheduler.table.part(part)).isEmpty();
            }
        }
    }

    private static final class Answering implements Process {
        private ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.isRequest()) {
                    context.reply(message, "here");
                }
            }
        }
    }
}

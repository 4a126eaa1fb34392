// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.treadle.command.Ask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Request and reply, between processes and from outside. */
class AskTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Does with each message what it is told to; ends on "end". */
    private static final class Server implements Process {
        private final BiConsumer<ProcessContext, Message> onMessage;
        private @Nullable ProcessContext context;

        Server(BiConsumer<ProcessContext, Message> onMessage) {
            this.onMessage = onMessage;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    if (message.topic().equals("end")) {
                        out.done();
                    } else if (message.topic().equals("crash")) {
                        throw new IllegalStateException("as told");
                    } else {
                        onMessage.accept(context, message);
                    }
                }
            }
        }
    }

    private static ThrowingConsumer<Completion> failedWith(AskFailedException.Reason reason) {
        return completion -> assertThat(completion.error()).isInstanceOfSatisfying(AskFailedException.class, error -> {
            assertThat(error.reason()).isEqualTo(reason);
            assertThat(error).hasMessageContainingAll("\"double\"", "{main|");
        });
    }

    /** The reply, or why there is none. */
    private static Object outcome(CompletableFuture<Object> ask) {
        CompletableFuture<Object> outcome = ask.handle((reply, error) ->
                error != null && error.getCause() instanceof AskFailedException failed ? failed.reason() : reply);
        return Soon.get(outcome);
    }

    @AtWorkers
    void askersGetTheirOwnReplies(int workers) {
        int askers = 50;
        int asks = 200;
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            ProcessRef server = scheduler.submit(
                    new Server((context, message) -> context.reply(message, 2 * message.payload(Integer.class))),
                    "main");
            List<Yielder> yielders = new ArrayList<>();
            List<ProcessRef> refs = new ArrayList<>();
            for (int a = 0; a < askers; a++) {
                int first = a * asks;
                var yielder = new Yielder(out -> {
                    for (int i = 0; i < asks; i++) {
                        out.yield(new Ask(server.pid(), "double", first + i), first + i, Duration.ofMinutes(1));
                    }
                });
                yielders.add(yielder);
                refs.add(scheduler.submit(yielder, "main"));
            }
            for (int a = 0; a < askers; a++) {
                assertThat(yielders.get(a).finish(refs.get(a), asks))
                        .hasSize(asks)
                        .allSatisfy(completion ->
                                assertThat(completion.data(Integer.class)).isEqualTo((int) (2 * completion.tag())));
            }
            assertThat(scheduler.stats().lateAnswers()).isZero();
        }
    }

    @AtWorkers
    void fromOutsideAFutureCompletesWithTheReply(int workers) {
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            ProcessRef server = scheduler.submit(
                    new Server((context, message) -> context.reply(message, 2 * message.payload(Integer.class))),
                    "main");
            for (int i = 0; i < 500; i++) {
                assertThat(Soon.get(server.ask("double", i, Duration.ofMinutes(1))))
                        .isEqualTo(2 * i);
            }
        }
    }

    /** No asker waits for ever, however the server ends while requests come in. */
    @AtWorkers
    void anAskThatRacesTheEndOfItsTargetIsAnsweredOrFails(int workers) {
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            for (int round = 0; round < 200; round++) {
                ProcessRef server = scheduler.submit(
                        new Server((context, message) -> {
                            if (message.payload(Integer.class) % 2 == 0) {
                                context.reply(message, "even");
                            }
                        }),
                        "main");
                List<CompletableFuture<Object>> asks = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    asks.add(server.ask("parity", i, Duration.ofMinutes(5)));
                    if (i == 10) {
                        server.send(round % 2 == 0 ? "end" : "crash", null);
                    }
                }
                for (CompletableFuture<Object> ask : asks) {
                    assertThat(outcome(ask))
                            .isIn("even", AskFailedException.Reason.ENDED, AskFailedException.Reason.NO_SUCH_PROCESS);
                }
            }
            assertThat(scheduler.asks.size()).as("open requests").isZero();
        }
    }

    @Test
    void aShutdownFailsWhatAStuckProcessNeverAnswers() throws Exception {
        var entered = new CountDownLatch(1);
        var stuck = new CountDownLatch(1);
        Scheduler scheduler = Scheduler.builder().workers(2).start();
        ProcessRef server = scheduler.submit(
                new Server((context, message) -> {
                    entered.countDown();
                    while (stuck.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                }),
                "main");
        CompletableFuture<Object> ask = server.ask("double", 1, Duration.ofHours(1));
        entered.await();
        scheduler.shutdown(Duration.ofMillis(50));
        try {
            assertThat(outcome(ask)).isEqualTo(AskFailedException.Reason.STOPPING);
        } finally {
            stuck.countDown();
        }
    }

    @Nested
    class GivenATimeOfOurOwn {
        private final ManualTime time = new ManualTime();
        private final SteppedScheduler stepped =
                Scheduler.builder().workers(1).time(time).mailboxCapacity(3).stepped();
        private final Scheduler scheduler = stepped.scheduler();
        private final List<Message> kept = new ArrayList<>();
        private final List<ProcessContext> contexts = new ArrayList<>();

        @AfterEach
        void close() {
            stepped.close();
        }

        private ProcessRef keeper() {
            return scheduler.submit(
                    new Server((context, message) -> {
                        kept.add(message);
                        contexts.add(context);
                    }),
                    "main");
        }

        private Yielder asker(Pid target) {
            var yielder = new Yielder(out -> out.yield(new Ask(target, "double", 21), 1, SECOND));
            scheduler.submit(yielder, "main");
            stepped.runAll();
            return yielder;
        }

        private void pass(Duration by) {
            time.advance(by);
            stepped.fireTimers();
            stepped.runAll();
        }

        @Test
        void aReplyMayComeInALaterStep() {
            ProcessRef keeper = keeper();
            Yielder asker = asker(keeper.pid());
            assertThat(kept).singleElement().satisfies(message -> {
                assertThat(message.isRequest()).isTrue();
                assertThat(message.sender()).isNotNull();
                assertThat(message)
                        .hasToString(
                                "Message[double, java.lang.Integer 21, from " + message.sender() + ", wants a reply]");
            });
            assertThat(contexts.get(0).reply(kept.get(0), 42)).isTrue();
            stepped.runAll();
            assertThat(asker.completions())
                    .singleElement()
                    .satisfies(completion -> assertThat(completion.data()).isEqualTo(42));
        }

        @Test
        void anErrorReachesTheAskerAsItIs() {
            Yielder asker = asker(keeper().pid());
            var error = new IllegalStateException("no");
            assertThat(contexts.get(0).replyError(kept.get(0), error)).isTrue();
            stepped.runAll();
            assertThat(asker.completions())
                    .singleElement()
                    .satisfies(completion -> assertThat(completion.error()).isSameAs(error));
        }

        @Test
        void aSecondReplyIsIgnoredAndCounted() {
            asker(keeper().pid());
            contexts.get(0).reply(kept.get(0), 1);
            assertThat(contexts.get(0).reply(kept.get(0), 2)).isFalse();
            assertThat(scheduler.stats().lateAnswers()).isEqualTo(1);
        }

        @Test
        void aTimeoutFailsTheAskAndALateReplyIsCounted() {
            Yielder asker = asker(keeper().pid());
            pass(SECOND);
            assertThat(asker.completions())
                    .singleElement()
                    .satisfies(
                            completion -> assertThat(completion.error()).isInstanceOf(CommandTimeoutException.class));
            assertThat(contexts.get(0).reply(kept.get(0), 2)).isFalse();
            assertThat(scheduler.stats().lateAnswers()).isEqualTo(1);
        }

        @Test
        void thereIsNoSuchProcess() {
            ProcessRef gone = scheduler.submit(Process.of((events, out) -> out.done()), "main");
            stepped.runAll();
            assertThat(asker(gone.pid()).completions())
                    .singleElement()
                    .satisfies(failedWith(AskFailedException.Reason.NO_SUCH_PROCESS));
            assertThat(asker(Pid.parse("{main|999999}")).completions())
                    .singleElement()
                    .satisfies(failedWith(AskFailedException.Reason.NO_SUCH_PROCESS));
        }

        @Test
        void theMailboxIsFull() {
            ProcessRef blocked = scheduler.submit(Process.of((events, out) -> out.await()), "main");
            stepped.runAll();
            for (int i = 0; i < 3; i++) {
                blocked.send("noise", i);
            }
            assertThat(asker(blocked.pid()).completions())
                    .singleElement()
                    .satisfies(failedWith(AskFailedException.Reason.MAILBOX_FULL));
        }

        @Test
        void theTargetEndsWithoutAReply() {
            ProcessRef keeper = keeper();
            Yielder asker = asker(keeper.pid());
            keeper.send("crash", null);
            stepped.runAll();
            assertThat(asker.completions()).singleElement().satisfies(failedWith(AskFailedException.Reason.ENDED));
            assertThat(contexts.get(0).reply(kept.get(0), 2)).isFalse();
        }

        @Test
        void theTargetEndsBeforeItReadsTheRequest() {
            ProcessRef blocked = scheduler.submit(Process.of((events, out) -> out.await()), "main");
            Yielder asker = asker(blocked.pid());
            assertThat(asker.completions()).isEmpty();
            blocked.terminate();
            stepped.runAll();
            assertThat(asker.completions()).singleElement().satisfies(failedWith(AskFailedException.Reason.ENDED));
        }

        @Test
        void anAskFromOutsideTimesOut() {
            CompletableFuture<Object> ask = keeper().ask("double", 1, SECOND);
            pass(SECOND);
            assertThat(outcome(ask)).isEqualTo(AskFailedException.Reason.TIMEOUT);
            assertThat(contexts.get(0).reply(kept.get(0), 2)).isFalse();
        }

        @Test
        void whatAFutureIsDoneToDoesNotReachOthers() {
            CompletableFuture<Object> ask = keeper().ask("double", 1, SECOND);
            ask.complete("mine");
            stepped.runAll();
            assertThat(contexts.get(0).reply(kept.get(0), 2))
                    .as("the request is still open")
                    .isTrue();
        }

        /** A server that never answers those who gave up does not keep them for ever. */
        @Test
        void requestsThatTimedOutAreSwept() {
            ProcessRef keeper = keeper();
            for (int i = 0; i < 1_000; i++) {
                CompletableFuture<Object> ask = keeper.ask("double", i, SECOND);
                pass(SECOND);
                assertThat(outcome(ask)).isEqualTo(AskFailedException.Reason.TIMEOUT);
            }
            assertThat(kept).hasSize(1_000);
            assertThat(requestsTrackedBy(keeper)).isLessThan(100);
            assertThat(scheduler.asks.size()).isZero();
        }

        private int requestsTrackedBy(ProcessRef ref) {
            return ref.pid().cell().extras().requestsTracked();
        }

        @Test
        void aMessageThatIsNotARequestCannotBeRepliedTo() {
            ProcessRef keeper = keeper();
            keeper.send("hello", null);
            stepped.runAll();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> contexts.get(0).reply(kept.get(0), 2))
                    .withMessageContainingAll("Message[hello", "is not a request", "isRequest()");
            assertThat(kept.get(0).isRequest()).isFalse();
        }

        @Test
        void anEnvelopeMayCarryARequest() {
            ProcessRef keeper = keeper();
            var replies = new ArrayList<Object>();
            scheduler.send(new dev.treadle.relay.Envelope(
                    keeper.pid(), null, "double", 21, java.util.Map.of(), new dev.treadle.relay.ReplyTo() {
                        @Override
                        public boolean reply(@Nullable Object payload) {
                            return replies.add(payload);
                        }

                        @Override
                        public boolean replyError(Throwable error) {
                            return replies.add(error);
                        }
                    }));
            stepped.runAll();
            assertThat(contexts.get(0).reply(kept.get(0), 42)).isTrue();
            keeper.terminate();
            stepped.runAll();
            assertThat(replies)
                    .as("one reply, and no error at the end of the process")
                    .containsExactly(42);
        }
    }
}

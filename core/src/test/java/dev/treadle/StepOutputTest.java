// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.treadle.StepOutput.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StepOutputTest {
    private final StepOutput out = new StepOutput();

    private record Ask(int number) implements Command {}

    /** Each thing that a step can say. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private enum Word {
        AWAIT(StepOutput::await, Status.AWAIT, null),
        IDLE(StepOutput::idle, Status.IDLE, null),
        AGAIN(StepOutput::again, Status.AGAIN, null),
        DONE(StepOutput::done, Status.DONE, null),
        DONE_WITH_RESULT(out -> out.done("result"), Status.DONE, "result"),
        UPGRADE(out -> out.upgrade(TrackedProcess.idle(), "main"), Status.UPGRADE, null),
        UPGRADE_KEEPING(out -> out.upgradeKeepingYields(TrackedProcess.idle(), "main"), Status.UPGRADE, null),
        YIELD(out -> out.yield(new Ask(0), 0), null, null),
        YIELD_WITH_TIMEOUT(out -> out.yield(new Ask(0), 0, Duration.ofSeconds(1)), null, null);

        private final Consumer<StepOutput> say;
        private final Status status;
        private final Object result;

        Word(Consumer<StepOutput> say, Status status, Object result) {
            this.say = say;
            this.status = status;
            this.result = result;
        }
    }

    @Nested
    class GivenAStepThatRuns {
        @BeforeEach
        void open() {
            out.open();
        }

        @Test
        void p5_whenNothingIsSaid_thenItIsIdleOrAwaitsItsYields() {
            assertThat(out.status()).isEqualTo(Status.IDLE);
            out.yield(new Ask(1), 1);
            assertThat(out.status()).isEqualTo(Status.AWAIT);
            assertThat(out).hasToString("StepOutput[AWAIT, 1 yields]");
        }

        /** P5: of each two that are said the last one counts, with its own result and no other; yields say nothing. */
        @ParameterizedTest
        @EnumSource
        void p5_whenTwoAreSaid_thenTheLastOneCounts(Word last) {
            for (Word first : Word.values()) {
                out.clear();
                out.open();
                first.say.accept(out);
                last.say.accept(out);
                Word counts = last.status != null ? last : first;
                assertThat(out.status())
                        .as("%s, then %s", first, last)
                        .isEqualTo(counts.status != null ? counts.status : Status.AWAIT);
                assertThat(out.result()).as("%s, then %s", first, last).isEqualTo(counts.result);
            }
        }

        @Test
        void whenYielded_thenCommandsTagsAndTimeoutsAreKeptInOrder() {
            for (int i = 0; i < 100; i++) {
                if (i % 2 == 0) {
                    out.yield(new Ask(i), Long.MIN_VALUE + i);
                } else {
                    out.yield(new Ask(i), Long.MIN_VALUE + i, Duration.ofNanos(i));
                }
            }
            assertThat(out.yields()).isEqualTo(100);
            for (int i = 0; i < 100; i++) {
                assertThat(out.command(i)).isEqualTo(new Ask(i));
                assertThat(out.tag(i)).isEqualTo(Long.MIN_VALUE + i);
                assertThat(out.timeoutNanos(i)).isEqualTo(i % 2 == 0 ? StepOutput.NO_TIMEOUT : i);
            }
        }

        @Test
        void whenYieldedAtTheLimitAndOnePast_thenOnlyTheLastIsRefused() {
            for (int i = 0; i < 65_536; i++) {
                out.yield(new Ask(i), i);
            }
            assertThatThrownBy(() -> out.yield(new Ask(65_536), 65_536))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("a step yielded 65536 commands, the most that one step may:"
                            + " yield the rest in a later step");
            assertThat(out.yields()).isEqualTo(StepOutput.YIELDS_MAX).isEqualTo(65_536);
            assertThat(out.command(65_535)).isEqualTo(new Ask(65_535));
        }

        @Test
        void whenAPartIsNullOrATimeoutIsNot_thenItIsRefusedAndNothingIsSaid() {
            assertThatNullPointerException()
                    .isThrownBy(() -> out.yield(null, 1))
                    .withMessage("command is null: give the command to run");
            assertThatNullPointerException()
                    .isThrownBy(() -> out.yield(new Ask(1), 1, null))
                    .withMessage("timeout is null: give a duration such as Duration.ofSeconds(1)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> out.yield(new Ask(1), 1, Duration.ZERO))
                    .withMessage("timeout was PT0S, must be positive: give a duration such as Duration.ofSeconds(1)");
            assertThatNullPointerException()
                    .isThrownBy(() -> out.upgrade(null, "main"))
                    .withMessage("next is null: give the process that takes over");
            assertThatNullPointerException()
                    .isThrownBy(() -> out.upgradeKeepingYields(TrackedProcess.idle(), null))
                    .withMessage("method is null: name the entry point, such as \"main\"");
            assertThat(out.yields()).isZero();
            assertThat(out.status()).isEqualTo(Status.IDLE);
        }

        @Test
        void whenClearedForTheNextProcess_thenNothingIsLeft() {
            out.yield(new Ask(1), 1);
            out.done("secret");
            out.seal();
            out.clear();
            assertThat(out.yields()).isZero();
            assertThat(out.result()).isNull();
            assertThat(out.status()).isEqualTo(Status.IDLE);
            assertThat(out.isUntouched()).isTrue();
            out.forgetCommand();
            assertThat(HeapWalk.find(out, object -> object instanceof Command)).isEmpty();
        }
    }

    @Nested
    class GivenAStepThatHasReturned {
        private static final String REFUSAL = "StepOutput was used outside of its step,"
                + " it is valid only while step() runs and on its thread: to do something later, yield a command or send a message";

        @ParameterizedTest
        @EnumSource
        void whenItsOutputIsUsed_thenItIsRefused(Word word) {
            assertRefused(() -> word.say.accept(out));
            out.open();
            out.seal();
            assertRefused(() -> word.say.accept(out));
            out.clear();
            assertRefused(() -> word.say.accept(out));
            assertThat(out.yields()).isZero();
            assertThat(out.status()).isEqualTo(Status.IDLE);
        }

        private static void assertRefused(ThrowingCallable use) {
            assertThatThrownBy(use).isInstanceOf(IllegalStateException.class).hasMessage(REFUSAL);
        }

        /** A process that keeps its output and uses it from another thread changes nothing for itself. */
        @AtWorkers
        void whenAProcessKeepsItsOutput_thenALaterUseIsRefused(int workers) {
            var kept = new AtomicReference<StepOutput>();
            try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
                ProcessRef ref = scheduler.submit(Process.of((events, out) -> kept.set(out)), "main");
                Soon.reaches(ref, ProcessInfo.State.IDLE);
                List<Throwable> refusals = new ArrayList<>();
                for (Word word : Word.values()) {
                    refusals.add(catchThrowable(() -> word.say.accept(kept.get())));
                }
                assertThat(refusals)
                        .allSatisfy(e -> assertThat(e)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessage(REFUSAL));
                assertThat(ref.inspect()).isPresent();
            }
        }

        /** A handler that answers on the spot and has got hold of the output cannot write to it: the step is over. */
        @AtWorkers
        void whenAHandlerUsesTheOutput_thenItsYieldFails(int workers) {
            var kept = new AtomicReference<StepOutput>();
            var calls = new AtomicInteger();
            var registry = new CommandRegistry().register(Ask.class, (command, receiver) -> {
                calls.incrementAndGet();
                kept.get().done("not a handler's to say");
            });
            try (Scheduler scheduler =
                    Scheduler.builder().workers(workers).handlers(registry).start()) {
                ProcessRef ref = scheduler.submit(
                        Process.of((events, out) -> {
                            kept.set(out);
                            if (events.isEmpty()) {
                                out.yield(new Ask(1), 1);
                            } else {
                                out.done(((Completion) events.get(0)).error());
                            }
                        }),
                        "main");
                assertThat(ref.result()).succeedsWithin(LIMIT).isInstanceOf(IllegalStateException.class);
                assertThat(calls).hasValue(1);
            }
        }
    }

    /** End to end: a step at the limit of yields, and one past it. */
    @AtWorkers
    void whenAStepYieldsAtTheLimit_thenAllAreDispatchedAndOnePastFailsTheStep(int workers) {
        var dispatched = new AtomicInteger();
        var registry = new CommandRegistry().register(Ask.class, (command, receiver) -> {
            dispatched.incrementAndGet();
            receiver.complete(null);
        });
        try (Scheduler scheduler = Scheduler.builder()
                .workers(workers)
                .handlers(registry)
                .listener(new RecordingListener())
                .start()) {
            ProcessRef good = scheduler.submit(new Yielding(StepOutput.YIELDS_MAX), "main");
            assertThat(good.result()).succeedsWithin(LIMIT).isEqualTo(StepOutput.YIELDS_MAX);
            assertThat(dispatched).hasValue(StepOutput.YIELDS_MAX);

            ProcessRef bad = scheduler.submit(new Yielding(StepOutput.YIELDS_MAX + 1), "main");
            assertThat(bad.result())
                    .failsWithin(LIMIT)
                    .withThrowableThat()
                    .havingCause()
                    .havingCause()
                    .withMessageContaining("yield the rest in a later step");
            assertThat(dispatched).as("none of that step").hasValue(StepOutput.YIELDS_MAX);
        }
    }

    private static final class Yielding implements Process {
        private final int yields;
        private int completions;

        Yielding(int yields) {
            this.yields = yields;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (int i = 0; events.isEmpty() && i < yields; i++) {
                out.yield(new Ask(i), i);
            }
            for (Event event : events) {
                if (event instanceof Completion completion && completion.tag() != completions++) {
                    throw new IllegalStateException("out of order: " + completion);
                }
            }
            if (completions == yields) {
                out.done(completions);
            } else {
                out.await();
            }
        }
    }
}

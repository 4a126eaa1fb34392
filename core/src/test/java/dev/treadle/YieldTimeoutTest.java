// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code yield(command, tag, timeout)}: the part of Y1 and Y5 that has to do with time. */
class YieldTimeoutTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Hold.Held held = new Hold.Held();

    private SchedulerBuilder builder(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .shutdownTimeout(Duration.ZERO)
                .handlers(new CommandRegistry().register(Hold.class, held).register(Echo.class, Echo.HANDLER));
    }

    @Nested
    class GivenTheMachinesClock {
        @AtWorkers
        void y1_aYieldThatNobodyAnswersTimesOut(int workers) throws Exception {
            var timeout = Duration.ofMillis(20);
            var yielder = new Yielder(out -> out.yield(new Hold(), -7, timeout));
            try (Scheduler scheduler = builder(workers).start()) {
                long start = System.nanoTime();
                ProcessRef process = scheduler.submit(yielder, "main");
                List<Completion> completions = yielder.finish(process, 1);
                long elapsed = System.nanoTime() - start;

                assertThat(completions).singleElement().satisfies(completion -> {
                    assertThat(completion.tag()).isEqualTo(-7);
                    assertThat(completion.data()).isNull();
                    assertThat(completion.error())
                            .isInstanceOf(CommandTimeoutException.class)
                            .hasMessageContainingAll(Hold.class.getTypeName(), "-7", "PT0.02S");
                });
                assertThat(elapsed).as("not before its time").isGreaterThanOrEqualTo(timeout.toNanos());
                ResultReceiver late = held.take();
                assertThat(late.complete("too late")).isFalse();
                assertThat(scheduler.stats().lateAnswers()).isEqualTo(1);
            }
        }

        /** Y1: a process that awaits is woken by the timeout; many at once, each with its own tag. */
        @AtWorkers
        void y1_manyTimeoutsEachCompleteTheirOwnYield(int workers) {
            int yields = 500;
            var yielder = new Yielder(out -> {
                for (int i = 0; i < yields; i++) {
                    out.yield(new Hold(), i, Duration.ofMillis(1 + i % 20));
                }
                out.await();
            });
            try (Scheduler scheduler = builder(workers).start()) {
                ProcessRef process = scheduler.submit(yielder, "main");
                List<Completion> completions = yielder.finish(process, yields);

                assertThat(completions)
                        .hasSize(yields)
                        .allMatch(completion -> completion.error() instanceof CommandTimeoutException);
                assertThat(yielder.tags()).doesNotHaveDuplicates();
            }
        }

        @AtWorkers
        void y5_theHandlerIsToldOfTheTimeout(int workers) throws Exception {
            var yielder = new Yielder(out -> out.yield(new Hold(), 1, Duration.ofMillis(30)));
            try (Scheduler scheduler = builder(workers).start()) {
                scheduler.submit(yielder, "main");
                ResultReceiver receiver = held.take();
                var told = new CountDownLatch(1);
                receiver.onCancel(told::countDown);

                assertThat(told.await(Soon.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
                assertThat(receiver.isCancelled()).isTrue();
            }
        }
    }

    @Nested
    class GivenATimeOfOurOwn {
        private final ManualTime time = new ManualTime();
        private final SteppedScheduler stepped = builder(2).time(time).stepped();

        @AfterEach
        void close() {
            stepped.close();
        }

        private Yielder yielder(Duration timeout) {
            var yielder = new Yielder(out -> out.yield(new Hold(), 1, timeout));
            stepped.scheduler().submit(yielder, "main");
            stepped.runAll();
            return yielder;
        }

        private void pass(Duration by) {
            time.advance(by);
            stepped.fireTimers();
            stepped.runAll();
        }

        @Test
        void y1_nothingHappensBeforeTheTime() {
            Yielder yielder = yielder(SECOND);
            pass(SECOND.minusNanos(1));

            assertThat(yielder.completions()).isEmpty();
            pass(Duration.ofMillis(2));
            assertThat(yielder.completions()).hasSize(1);
            pass(Duration.ofDays(1));
            assertThat(yielder.completions()).as("once only").hasSize(1);
        }

        @Test
        void y1_shorterTimeoutsComeFirst() {
            var yielder = new Yielder(out -> {
                out.yield(new Hold(), 3, SECOND.multipliedBy(3));
                out.yield(new Hold(), 1, SECOND);
                out.yield(new Hold(), 2, SECOND.multipliedBy(2));
            });
            stepped.scheduler().submit(yielder, "main");
            stepped.runAll();
            pass(Duration.ofSeconds(10));

            assertThat(yielder.tags()).containsExactly(1L, 2L, 3L);
        }

        /** Y5: an answer in time takes the timer off; it neither fires nor is kept. */
        @Test
        void y5_anAnswerInTimeEndsTheTimer() throws Exception {
            Yielder yielder = yielder(SECOND);
            assertThat(stepped.nextTimerNanos()).isNotEqualTo(Long.MAX_VALUE);
            ResultReceiver receiver = held.take();
            var told = new ArrayList<String>();
            receiver.onCancel(() -> told.add("told"));

            assertThat(receiver.complete("in time")).isTrue();
            assertThat(stepped.nextTimerNanos()).as("no timer is left").isEqualTo(Long.MAX_VALUE);
            pass(SECOND.multipliedBy(2));

            assertThat(yielder.completions()).extracting(Completion::data).containsExactly("in time");
            assertThat(told).isEmpty();
        }

        @Test
        void y5_anAnswerOnTheSpotNeedsNoTimer() {
            var yielder = new Yielder(out -> out.yield(new Echo("spot"), 1, SECOND));
            stepped.scheduler().submit(yielder, "main");
            stepped.runAll();

            assertThat(stepped.nextTimerNanos()).isEqualTo(Long.MAX_VALUE);
            pass(SECOND.multipliedBy(2));
            assertThat(yielder.completions()).extracting(Completion::data).containsExactly("spot");
        }

        @Test
        void y5_theEndOfTheProcessEndsTheTimer() throws Exception {
            var yielder = new Yielder(out -> out.yield(new Hold(), 1, SECOND));
            ProcessRef process = stepped.scheduler().submit(yielder, "main");
            stepped.runAll();
            process.send("end", null);
            stepped.runAll();

            assertThat(stepped.nextTimerNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(held.take().isCancelled()).isTrue();
        }

        /** Y5: the timeout tells the handler and completes the yield, and what the action answers is too late. */
        @Test
        void y5_anActionThatAnswersTheTimedOutYieldIsTooLate() throws Exception {
            Yielder yielder = yielder(SECOND);
            ResultReceiver receiver = held.take();
            var answers = new ArrayList<Boolean>();
            receiver.onCancel(() -> answers.add(receiver.complete("from the action")));
            pass(SECOND.plusMillis(2));

            assertThat(answers).containsExactly(false);
            assertThat(yielder.completions())
                    .singleElement()
                    .satisfies(
                            completion -> assertThat(completion.error()).isInstanceOf(CommandTimeoutException.class));
            assertThat(stepped.scheduler().stats().lateAnswers()).isEqualTo(1);
        }

        /** Y5: the longest duration there is does not come round to now. */
        @Test
        void y5_aTimeoutLongerThanTheClockNeverFires() {
            Yielder yielder = yielder(Duration.ofSeconds(Long.MAX_VALUE));
            pass(Duration.ofDays(365));

            assertThat(yielder.completions()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(longs = {0, -1, Long.MIN_VALUE})
        void y5_aTimeoutMustBePositive(long nanos) {
            var out = new StepOutput();
            out.open();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> out.yield(new Hold(), 1, Duration.ofNanos(nanos)))
                    .withMessageContainingAll("timeout", "positive");
            assertThat(out.yields()).isZero();
        }
    }
}

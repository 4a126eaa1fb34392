// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.treadle.command.Sleep;
import dev.treadle.command.WaitUntil;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** {@link Sleep} and {@link WaitUntil}. */
class SleepTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @AtWorkers
    void aSleepIsNeverEarly(int workers) {
        var duration = Duration.ofMillis(20);
        var yielder = new Yielder(out -> out.yield(new Sleep(duration), 4));
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            long start = System.nanoTime();
            ProcessRef process = scheduler.submit(yielder, "main");
            assertThat(yielder.finish(process, 1)).singleElement().satisfies(completion -> {
                assertThat(completion.tag()).isEqualTo(4);
                assertThat(completion.isFailed()).isFalse();
            });
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(duration.toNanos());
        }
    }

    /** The answer to a cancel may be to sleep, and then to end: a shutdown waits for that, and not for its timeout. */
    @AtWorkers
    void aProcessMaySleepWhileTheSchedulerShutsDown(int workers) {
        Scheduler scheduler = Scheduler.builder().workers(workers).start();
        scheduler.submit(
                Process.of((events, out) -> {
                    for (Event event : events) {
                        if (event instanceof Signal) {
                            out.yield(new Sleep(Duration.ofMillis(20)), 1);
                        } else if (event instanceof Completion) {
                            out.done("slept");
                        }
                    }
                }),
                "main");
        long start = System.nanoTime();
        ShutdownReport report = scheduler.shutdown(Duration.ofMinutes(2));

        assertThat(report.forced()).isZero();
        assertThat(System.nanoTime() - start)
                .isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos())
                .isLessThan(Duration.ofMinutes(1).toNanos());
    }

    @Nested
    class GivenATimeOfOurOwn {
        private final AtomicReference<Duration> clockSet = new AtomicReference<>(Duration.ZERO);
        private final ManualTime manual = new ManualTime();
        private final TimeSource time = new TimeSource() {
            @Override
            public long nanos() {
                return manual.nanos();
            }

            @Override
            public Instant instant() {
                return manual.instant().plus(clockSet.get());
            }
        };
        private final SteppedScheduler stepped =
                Scheduler.builder().workers(2).time(time).stepped();

        @AfterEach
        void close() {
            stepped.close();
        }

        private void pass(Duration by) {
            manual.advance(by);
            stepped.fireTimers();
            stepped.runAll();
        }

        private Yielder start(Command command) {
            return start(out -> out.yield(command, 1));
        }

        private Yielder start(java.util.function.Consumer<StepOutput> first) {
            var yielder = new Yielder(first);
            stepped.scheduler().submit(yielder, "main");
            stepped.runAll();
            return yielder;
        }

        @Test
        void aSleepEndsToTheNanosecond() {
            Yielder yielder = start(new Sleep(SECOND));
            pass(SECOND.minusNanos(1));
            assertThat(yielder.completions()).isEmpty();
            pass(Duration.ofNanos(1));
            assertThat(yielder.completions()).hasSize(1);
        }

        /** The clock is set back after five of ten seconds: the wait gets longer, its timeout does not. */
        @Test
        void aTimeoutHoldsWhateverTheClockIsSetTo() {
            Instant due = time.instant().plus(SECOND.multipliedBy(5));
            Yielder yielder = start(out -> out.yield(new WaitUntil(due), 1, SECOND.multipliedBy(10)));
            clockSet.set(Duration.ofHours(-1));
            pass(SECOND.multipliedBy(5));
            assertThat(yielder.completions()).as("an hour is left").isEmpty();
            pass(SECOND.multipliedBy(5));
            assertThat(yielder.completions())
                    .singleElement()
                    .satisfies(
                            completion -> assertThat(completion.error()).isInstanceOf(CommandTimeoutException.class));
            clockSet.set(Duration.ofHours(2));
            pass(Duration.ofMinutes(2));
            assertThat(yielder.completions()).hasSize(1);
            assertThat(stepped.scheduler().stats().lateAnswers()).isZero();
        }

        @Test
        void aTimeThatTheClockReachesBeforeTheTimeoutIsInTime() {
            Instant due = time.instant().plus(Duration.ofHours(1));
            Yielder yielder = start(out -> out.yield(new WaitUntil(due), 1, Duration.ofMinutes(30)));
            clockSet.set(Duration.ofHours(1));
            pass(Duration.ofMinutes(2));
            assertThat(yielder.completions())
                    .singleElement()
                    .satisfies(completion -> assertThat(completion.isFailed()).isFalse());
            assertThat(stepped.nextTimerNanos()).as("no timer is left").isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void zeroCompletesAtOnce() {
            assertThat(start(new Sleep(Duration.ZERO)).completions()).hasSize(1);
        }

        @Test
        void aTimeoutThatComesFirstFailsTheSleep() {
            Yielder yielder = start(out -> out.yield(new Sleep(SECOND.multipliedBy(3)), 1, SECOND));
            pass(SECOND);
            assertThat(yielder.completions())
                    .singleElement()
                    .satisfies(
                            completion -> assertThat(completion.error()).isInstanceOf(CommandTimeoutException.class));
            assertThat(stepped.nextTimerNanos())
                    .as("the sleep is no longer set")
                    .isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void aSleepThatEndsFirstDropsTheTimeout() {
            Yielder yielder = start(out -> out.yield(new Sleep(SECOND), 1, SECOND.multipliedBy(3)));
            pass(SECOND);
            assertThat(yielder.completions())
                    .singleElement()
                    .satisfies(completion -> assertThat(completion.isFailed()).isFalse());
            assertThat(stepped.nextTimerNanos()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void aCancelDoesNotCutASleepShort() {
            var yielder = new Yielder(out -> out.yield(new Sleep(SECOND), 1));
            ProcessRef process = stepped.scheduler().submit(yielder, "main");
            stepped.runAll();
            process.cancel("please");
            stepped.runAll();
            assertThat(yielder.completions()).isEmpty();
            pass(SECOND);
            assertThat(yielder.completions()).hasSize(1);
        }

        @Test
        void theEndOfTheProcessDropsItsSleep() {
            var yielder = new Yielder(out -> out.yield(new Sleep(SECOND), 1));
            ProcessRef process = stepped.scheduler().submit(yielder, "main");
            stepped.runAll();
            process.terminate();
            stepped.runAll();
            assertThat(stepped.nextTimerNanos()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void aWaitForATimeThatIsPastCompletesAtOnce() {
            assertThat(start(new WaitUntil(time.instant())).completions()).hasSize(1);
            assertThat(start(new WaitUntil(Instant.MIN)).completions()).hasSize(1);
        }

        @Test
        void aWaitEndsAtItsTime() {
            Yielder yielder = start(new WaitUntil(time.instant().plus(Duration.ofHours(1))));
            for (int minute = 1; minute < 60; minute++) {
                pass(Duration.ofMinutes(1));
            }
            pass(Duration.ofMinutes(1).minusNanos(1));
            assertThat(yielder.completions()).isEmpty();
            pass(Duration.ofNanos(1));
            assertThat(yielder.completions()).hasSize(1);
        }

        @Test
        void aClockThatIsSetBackDoesNotEndAWaitEarly() {
            Yielder yielder = start(new WaitUntil(time.instant().plus(SECOND)));
            clockSet.set(Duration.ofMinutes(-10));
            pass(SECOND);
            assertThat(yielder.completions()).isEmpty();
            for (int minute = 1; minute <= 10; minute++) {
                pass(Duration.ofMinutes(1));
            }
            assertThat(yielder.completions()).hasSize(1);
        }

        @Test
        void aClockThatIsSetForwardEndsAWaitWithinAMinute() {
            Yielder yielder = start(new WaitUntil(time.instant().plus(Duration.ofHours(5))));
            clockSet.set(Duration.ofHours(6));
            pass(Duration.ofMinutes(1));
            assertThat(yielder.completions()).hasSize(1);
        }

        @Test
        void aWaitThatTimesOutIsDropped() {
            Yielder yielder =
                    start(out -> out.yield(new WaitUntil(time.instant().plus(Duration.ofHours(1))), 1, SECOND));
            pass(SECOND);
            assertThat(yielder.completions()).hasSize(1);
            assertThat(stepped.nextTimerNanos()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void aWaitForTheEndOfTimeIsAccepted() {
            assertThat(start(new WaitUntil(Instant.MAX)).completions()).isEmpty();
        }
    }

    @Test
    void aNegativeDurationIsRefusedByValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sleep(Duration.ofMillis(-5)))
                .withMessageContainingAll("PT-0.005S", "must not be negative");
    }
}

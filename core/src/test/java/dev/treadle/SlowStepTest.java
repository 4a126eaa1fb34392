// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * S8, first half: a step that runs longer than a limit is reported once, with its process, its time and the worker's
 * stack, while it still runs. But for the last test, time moves only when the test moves it.
 *
 * <p>Catches: a report at each tick, or none; a time that is counted on from one step to the next; a limit that is passed
 * before it is reached; a stack of the wrong thread.
 */
class SlowStepTest {
    /** The shortest with the shortest tick of the watchdog: a millisecond. */
    private static final Duration LIMIT = Duration.ofMillis(4);

    private static final Duration ALMOST = LIMIT.minusNanos(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final WatchedTime time = new WatchedTime();
    private final RecordingListener heard = new RecordingListener();

    private SchedulerBuilder builder(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .time(time)
                .slowStepLimit(LIMIT)
                .listener(heard);
    }

    private static ConditionFactory await() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(PATIENCE);
    }

    private static List<HoldingProcess> startAndHold(Scheduler scheduler, int count) throws InterruptedException {
        List<HoldingProcess> all =
                Stream.generate(HoldingProcess::new).limit(count).toList();
        for (HoldingProcess each : all) {
            scheduler.submit(each, "main");
            each.awaitHeld();
        }
        return all;
    }

    /** Starts a step that goes on until the test ends it, and waits until the watchdog has seen it. */
    private HoldingProcess hold(Scheduler scheduler) throws InterruptedException {
        HoldingProcess held = startAndHold(scheduler, 1).get(0);
        time.awaitTick();
        return held;
    }

    /** Ends a step, and waits until its worker is free. */
    private static void letGo(Scheduler scheduler, HoldingProcess held) {
        held.letGo();
        await().until(() ->
                Arrays.stream(scheduler.group.workers()).allMatch(worker -> worker.runningAcquire() == null));
    }

    @Nested
    class S8GivenAStepThatGoesOn {
        @AtWorkers
        void whenTheLimitHasPassed_thenItIsReportedWhileItRuns(int workers) throws InterruptedException {
            try (Scheduler scheduler = builder(workers).start()) {
                var held = new HoldingProcess();
                ProcessRef process = scheduler.submit(held, "main");
                held.awaitHeld();
                time.awaitTick();

                time.advance(LIMIT);

                await().until(() -> !heard.slowSteps.isEmpty());
                ProcessInfo info = process.inspect().orElseThrow();
                assertThat(info.state()).as("still runs").isEqualTo(ProcessInfo.State.RUNNING);
                SlowStep report = heard.slowSteps.get(0);
                assertThat(report.pid()).isEqualTo(process.pid());
                assertThat(report.elapsed()).isEqualTo(LIMIT);
                assertThat(report.worker()).isEqualTo(info.worker());
                assertThat(report.stack())
                        .extracting(StackTraceElement::getMethodName)
                        .as("where it is, and below that the step of the user's class")
                        .containsSubsequence("holdTheWorker", "step");
                assertThat(report.stack())
                        .extracting(StackTraceElement::getClassName)
                        .contains(HoldingProcess.class.getName());
                held.letGo();
            }
        }

        @AtWorkers
        void whenItGoesOnForMuchLonger_thenItIsNotReportedAgain(int workers) throws InterruptedException {
            try (Scheduler scheduler = builder(workers).start()) {
                HoldingProcess held = hold(scheduler);
                for (int i = 0; i < 5; i++) {
                    time.advance(LIMIT);
                    time.awaitTick();
                }
                assertThat(heard.slowSteps).hasSize(1);
                held.letGo();
            }
        }

        @AtWorkers
        void whenTheLimitHasNotPassed_thenItIsNotReported(int workers) throws InterruptedException {
            try (Scheduler scheduler = builder(workers).start()) {
                for (int i = 0; i < 5; i++) {
                    HoldingProcess held = hold(scheduler);
                    time.advance(ALMOST);
                    time.awaitTick();
                    letGo(scheduler, held);
                }
                assertThat(heard.slowSteps).isEmpty();
            }
        }

        /** As after a garbage collection. */
        @Test
        void whenTheWholeJvmPausedAndItEndsRightAfterThat_thenItIsNotReported() throws InterruptedException {
            try (Scheduler scheduler = builder(1).start()) {
                HoldingProcess held = hold(scheduler);
                time.stopWatchdogAfterRead();

                time.advance(LIMIT.multipliedBy(10));

                time.stopWatchdogAfterNextRead(); // has read the time after the pause
                time.stopWatchdogAfterNextRead(); // has looked at the step
                letGo(scheduler, held);
                time.letWatchdogGoOn();
                time.awaitTick();
                assertThat(heard.slowSteps).isEmpty();
            }
        }

        @Test
        void whenOneProcessHasManyStepsOfAlmostTheLimit_thenNoneIsReported() throws InterruptedException {
            var stepping = new Semaphore(0);
            var goOn = new Semaphore(0);
            try (Scheduler scheduler = builder(1).start()) {
                ProcessRef process = scheduler.submit(
                        Process.of((events, out) -> {
                            stepping.release();
                            goOn.acquire();
                            out.again();
                        }),
                        "main");
                for (int i = 0; i < 5; i++) {
                    stepping.acquire();
                    time.awaitTick();
                    time.advance(ALMOST);
                    time.awaitTick();
                    goOn.release();
                }
                assertThat(heard.slowSteps).isEmpty();
                process.terminate();
                goOn.release(2);
            }
        }

        @Test
        void whenALaterStepIsSlowToo_thenThatIsReportedAsWell() throws InterruptedException {
            try (Scheduler scheduler = builder(1).start()) {
                for (int i = 1; i <= 3; i++) {
                    int reports = i;
                    HoldingProcess held = hold(scheduler);
                    time.advance(LIMIT);
                    await().until(() -> heard.slowSteps.size() == reports);
                    held.letGo();
                }
                assertThat(heard.slowSteps).extracting(SlowStep::pid).doesNotHaveDuplicates();
            }
        }

        @AtWorkers
        void whenAllWorkersAreHeld_thenEachIsReportedOnce(int workers) throws InterruptedException {
            try (Scheduler scheduler = builder(workers).start()) {
                List<HoldingProcess> all = startAndHold(scheduler, workers);
                time.awaitTick();

                time.advance(LIMIT);
                await().until(() -> heard.slowSteps.size() >= workers);
                time.advance(LIMIT);
                time.awaitTick();

                assertThat(heard.slowSteps)
                        .extracting(SlowStep::pid)
                        .hasSize(workers)
                        .doesNotHaveDuplicates();
                all.forEach(HoldingProcess::letGo);
            }
        }
    }

    @Nested
    class S8GivenAListenerThatMisbehaves {
        @Test
        void whenItThrows_thenTheNextSlowStepIsReportedAllTheSame() throws InterruptedException {
            var throwing = new SchedulerListener() {
                @Override
                public void onSlowStep(SlowStep step) {
                    throw new IllegalStateException("thrown by the listener");
                }
            };
            try (Scheduler scheduler = builder(2).listener(throwing).start()) {
                for (int i = 1; i <= 2; i++) {
                    int reports = i;
                    HoldingProcess held = hold(scheduler);
                    time.advance(LIMIT);
                    await().until(() -> heard.slowSteps.size() == reports);
                    held.letGo();
                }
                await().until(() -> scheduler.stats().listenerFailures() == 2);
            }
        }
    }

    /** Time is counted from a moment at which the step ran for certain, however slow the watchdog is. */
    @Test
    void s8_givenAWatchdogThatIsHeldUp_whenAStepBeginsMeanwhile_thenItIsNotReportedTooEarly()
            throws InterruptedException {
        try (Scheduler scheduler = builder(2).start()) {
            HoldingProcess running = hold(scheduler); // or else the watchdog would doze
            time.stopWatchdogAfterRead();
            letGo(scheduler, running);
            time.advance(LIMIT);
            HoldingProcess held = startAndHold(scheduler, 1).get(0);

            time.letWatchdogGoOn();
            time.awaitTick();
            time.advance(ALMOST);
            time.awaitTick();
            assertThat(heard.slowSteps).as("before the limit").isEmpty();

            time.advance(Duration.ofNanos(1));
            await().until(() -> heard.slowSteps.size() == 1);
            held.letGo();
        }
    }

    @Test
    void s8_byDefault_theLimitIs100MillisOfRealTime() throws InterruptedException {
        try (Scheduler scheduler =
                Scheduler.builder().workers(2).listener(heard).start()) {
            var held = new HoldingProcess();
            long start = System.nanoTime();
            scheduler.submit(held, "main");
            await().until(() -> !heard.slowSteps.isEmpty());
            long reported = System.nanoTime();
            held.letGo();

            assertThat(heard.slowSteps.get(0).elapsed())
                    .isBetween(Duration.ofMillis(100), Duration.ofNanos(reported - start));
            assertThat(scheduler.config.slowStepNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }
}

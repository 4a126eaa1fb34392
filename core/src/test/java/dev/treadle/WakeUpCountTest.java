// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S5: one wake-up wakes one sleeper, and none if somebody is already searching; and S1: a worker spins 16 times before it
 * blocks. Workers sleep in {@link GatedParkers}, so who is woken is counted, not timed.
 *
 * <p>Catches: a wake-up for each push, none for a push, one for a hand-off, a last searcher that does not wake the next,
 * one spin too many.
 */
class WakeUpCountTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final long PATIENCE_SECONDS = 60;

    private final GatedParkers parkers = new GatedParkers();
    private final Semaphore ran = new Semaphore(0);

    private SchedulerBuilder builder(int workers) {
        return Scheduler.builder().workers(workers).slowStepLimit(NEVER).parkers(parkers);
    }

    private Process counted() {
        return Process.of((events, out) -> ran.release());
    }

    private void awaitRun(int count) throws InterruptedException {
        assertThat(ran.tryAcquire(count, PATIENCE_SECONDS, SECONDS))
                .as("%d are run", count)
                .isTrue();
    }

    @Nested
    class S5GivenAllWorkersAsleep {
        @AtWorkers
        void whenWorkComes_thenOneIsWokenAndNoMoreWhileThatOneSearches(int workers) throws InterruptedException {
            try (Scheduler scheduler = builder(workers).start()) {
                parkers.awaitAsleep(workers, workers);
                parkers.close();
                for (int i = 0; i < 100; i++) {
                    scheduler.submit(counted(), "main");
                }
                assertThat(parkers.unparks()).as("woken").isEqualTo(1);
                assertThat(scheduler.stats().wakeUps()).as("counted").isEqualTo(1);

                parkers.open();
                awaitRun(100);
            }
        }

        @AtWorkers
        void whenOneProcessComes_thenWhoeverTakesItWakesNobodyElse(int workers) throws InterruptedException {
            try (Scheduler scheduler = builder(workers).start()) {
                parkers.awaitAsleep(workers, workers);

                scheduler.submit(counted(), "main");
                awaitRun(1);
                parkers.awaitAsleep(workers, workers + 1);

                SchedulerStats stats = scheduler.stats();
                assertThat(parkers.unparks()).as("woken").isEqualTo(1);
                assertThat(stats.wakeUps()).as("counted").isEqualTo(1);
                assertThat(stats.total().parks()).as("parks").isEqualTo(parkers.parks());
                assertThat(stats.total().wakeUpsUseful()).as("useful").isEqualTo(1);
                assertThat(stats.total().wakeUpsInVain()).as("in vain").isZero();
            }
        }
    }

    @Nested
    class S5GivenTwoWorkersAsleep {
        @Test
        void whenTwoProcessesComeOfWhichNeitherEndsAlone_thenWhoeverTakesTheFirstWakesOneForTheSecond() {
            var begun = new CountDownLatch(2);
            Process waitsForTheOther = Process.of((events, out) -> {
                begun.countDown();
                out.done(begun.await(PATIENCE_SECONDS, SECONDS));
            });
            try (Scheduler scheduler = builder(2).start()) {
                parkers.awaitAsleep(2, 2);
                parkers.close();
                ProcessRef first = scheduler.submit(waitsForTheOther, "main");
                ProcessRef second = scheduler.submit(waitsForTheOther, "main");
                assertThat(parkers.unparks()).as("woken by who submits").isEqualTo(1);

                parkers.open();

                assertThat(first.result())
                        .succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS))
                        .isEqualTo(true);
                assertThat(second.result())
                        .succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS))
                        .isEqualTo(true);
                assertThat(parkers.unparks()).as("woken").isEqualTo(2);
            }
        }
    }

    @Nested
    class S5GivenOneWorkerAwake {
        private final WatchedTime time = new WatchedTime();

        /** How many were woken since the step began, after each thing that it did. */
        private final List<Integer> woken = new ArrayList<>();

        private int unparksBefore;

        @Test
        void whenOneProcessSaysAgainAndAgain_thenNobodyIsWokenForIt() {
            try (Scheduler scheduler = builder(2).start()) {
                parkers.awaitAsleep(2, 2);
                var steps = new AtomicInteger();
                ProcessRef process = scheduler.submit(
                        Process.of((events, out) -> {
                            if (steps.incrementAndGet() < 100_000) {
                                out.again();
                            } else {
                                out.done();
                            }
                        }),
                        "main");

                assertThat(process.result()).succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));
                // Two, and one more whenever the machine holds the worker up for so long that the watchdog looks after
                // it.
                assertThat(parkers.unparks())
                        .as("for the submission, not for each step")
                        .isBetween(1, 100);
            }
        }

        @ParameterizedTest(name = "{0} workers")
        @ValueSource(ints = {2, 8})
        void whenAStepWakesSeveral_thenNobodyIsWokenForTheHandOffAndOneForAllTheOthers(int workers)
                throws InterruptedException {
            try (Scheduler scheduler = builder(workers).time(time).start()) {
                List<ProcessRef> sleepers = submitIdle(scheduler, 3);
                runAlone(scheduler, workers, out -> {
                    for (ProcessRef each : sleepers) {
                        each.send("wake", null);
                        countWoken();
                    }
                    out.done();
                });
                awaitRun(3);
                letAllGoOn();
                assertThat(woken).containsExactly(0, 1, 1);
            }
        }

        @ParameterizedTest(name = "{0} workers")
        @ValueSource(ints = {2, 8})
        void whenAStepHandsOffAndSaysAgain_thenOneIsWokenForWhatIsBehind(int workers) throws InterruptedException {
            try (Scheduler scheduler = builder(workers).time(time).start()) {
                ProcessRef handedOff = submitIdle(scheduler, 1).get(0);
                runAlone(scheduler, workers, out -> {
                    handedOff.send("wake", null);
                    countWoken();
                    out.again();
                });
                awaitRun(1);
                countWoken();
                letAllGoOn();
                assertThat(woken).containsExactly(0, 1);
            }
        }

        private List<ProcessRef> submitIdle(Scheduler scheduler, int count) throws InterruptedException {
            List<ProcessRef> idle = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                idle.add(scheduler.submit(counted(), "main"));
            }
            awaitRun(count);
            return idle;
        }

        private void countWoken() {
            woken.add(parkers.unparks() - unparksBefore);
        }

        /**
         * Runs a step on a worker while all others sleep, and holds back whoever it wakes. The watchdog stands still
         * meanwhile, because it frees the next slot of a worker that is not done in time.
         */
        private void runAlone(Scheduler scheduler, int workers, Step step) {
            var steps = new AtomicInteger();
            ProcessRef alone = scheduler.submit(
                    Process.of((events, out) -> {
                        switch (steps.incrementAndGet()) {
                            case 1 -> {
                                time.stopWatchdogAfterRead();
                                parkers.awaitOtherAsleep(scheduler, workers - 1);
                                parkers.close();
                                unparksBefore = parkers.unparks();
                                out.again();
                            }
                            case 2 -> step.run(out);
                            default -> out.done();
                        }
                    }),
                    "main");
            assertThat(alone.result()).succeedsWithin(Duration.ofSeconds(2 * PATIENCE_SECONDS));
        }

        private void letAllGoOn() {
            parkers.open();
            time.letWatchdogGoOn();
        }
    }

    private interface Step {
        void run(StepOutput out);
    }

    /** A worker reads the clock once in {@link WorkerQueues#LOOK_TURNS} looks for work, so that counts its looks. */
    @Nested
    class S1GivenAWorkerWithoutWork {
        private final AtomicInteger clockReads = new AtomicInteger();

        @Test
        void whenItIsWokenInVain_thenItBlocksAtThe16thLook() {
            int wakes = WorkerQueues.LOOK_TURNS;
            try (Scheduler scheduler = builder(1).time(new CountingTime()).start()) {
                parkers.awaitAsleep(1, 1);
                int before = clockReads.get();
                for (int i = 1; i <= wakes; i++) {
                    scheduler.group.wakeOne();
                    parkers.awaitAsleep(1, 1 + i);
                }
                assertThat(clockReads.get() - before)
                        .as("16 looks for each of 61 wakes are 16 times 61 looks")
                        .isEqualTo(WorkSearch.SPINS_YIELDING);
                assertThat(scheduler.stats().total().wakeUpsInVain()).isEqualTo(wakes);
            }
        }

        private final class CountingTime implements TimeSource {
            @Override
            public long nanos() {
                if (Thread.currentThread().getName().contains("-worker-")) {
                    clockReads.incrementAndGet();
                }
                return 0;
            }

            @Override
            public Instant instant() {
                return Instant.EPOCH;
            }
        }
    }
}

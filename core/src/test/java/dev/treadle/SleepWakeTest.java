// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S5: no worker sleeps while work waits that it could take.
 *
 * <p>The loops are closed: whoever wakes waits for the answer before it wakes again, so one lost wake-up stops the loop;
 * in an open loop the next message would heal it. No step here counts as slow, as a spare worker would heal it too.
 * Before it wakes, a thread waits for a random while, about as long as a worker spins before it sleeps: a wake-up is lost
 * in the moment of falling asleep, or never.
 *
 * <p>Catches: a sleeper that does not look at the queues once more after it has announced its sleep, a push without a look
 * for sleepers, a last searcher that does not wake the next. WakeUpCountTest counts who is woken.
 */
class SleepWakeTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final long PATIENCE_SECONDS = 60;
    private static final int WAKES = Integer.getInteger("stress.wakes", 20_000);
    private static final int ROUNDS = 2_000;
    private static final int BURSTS = 300;
    private static final int PAUSE_SPINS_MAX = 1_000;

    private final Semaphore answers = new Semaphore(0);
    private final SplittableRandom random = new SplittableRandom(7);

    private static Scheduler start(int workers) {
        return Scheduler.builder().workers(workers).slowStepLimit(NEVER).start();
    }

    private void awaitAnswers(int count, String what) throws InterruptedException {
        assertThat(answers.tryAcquire(count, PATIENCE_SECONDS, SECONDS))
                .as(what)
                .isTrue();
    }

    private void pause() {
        for (int spins = random.nextInt(PAUSE_SPINS_MAX); spins > 0; spins--) {
            Thread.onSpinWait();
        }
    }

    @AtWorkers
    void s5_whenAThreadOutsideWakesAnIdleProcess_thenItAnswersEveryTime(int workers) throws InterruptedException {
        try (Scheduler scheduler = start(workers)) {
            ProcessRef process = scheduler.submit(Process.of((events, out) -> answers.release(events.size())), "main");
            for (int i = 0; i < WAKES; i++) {
                process.send("wake", i);
                awaitAnswers(1, "answer " + i);
                pause();
            }
        }
    }

    /** The step that wakes holds its own worker until another worker has run what it woke. */
    @ParameterizedTest(name = "{0} workers")
    @ValueSource(ints = {2, 8})
    void s5_whenAStepWakesAProcess_thenASleepingWorkerRunsItEveryTime(int workers) {
        var rounds = new AtomicInteger();
        try (Scheduler scheduler = start(workers)) {
            ProcessRef handedOff = scheduler.submit(Process.of((events, out) -> {}), "main");
            ProcessRef inDeque = scheduler.submit(Process.of((events, out) -> answers.release(events.size())), "main");
            ProcessRef waker = scheduler.submit(
                    Process.of((events, out) -> {
                        pause();
                        handedOff.send("first", null);
                        inDeque.send("second", null);
                        awaitAnswers(1, "answer in round " + rounds);
                        if (rounds.incrementAndGet() < ROUNDS) {
                            out.again();
                        } else {
                            out.done();
                        }
                    }),
                    "main");

            assertThat(waker.result()).succeedsWithin(Duration.ofSeconds(2 * PATIENCE_SECONDS));
        }
    }

    @AtWorkers
    void s5_whenABurstComesFromOutside_thenAllWorkersTakePart(int workers) throws InterruptedException {
        try (Scheduler scheduler = start(workers)) {
            for (int burst = 0; burst < BURSTS; burst++) {
                var together = new CountDownLatch(workers);
                for (int i = 0; i < workers; i++) {
                    scheduler.submit(meeting(together), "main");
                }
                awaitAnswers(workers, "burst " + burst);
                pause();
            }
        }
    }

    @AtWorkers
    void s5_whenAStepStartsABurst_thenAllWorkersTakePart(int workers) throws InterruptedException {
        try (Scheduler scheduler = start(workers)) {
            for (int burst = 0; burst < BURSTS; burst++) {
                var together = new CountDownLatch(workers);
                scheduler.submit(new Burst(together, workers), "main");
                awaitAnswers(workers, "burst " + burst);
                pause();
            }
        }
    }

    /** Its step ends only when as many run at the same time as there are workers. */
    private Process meeting(CountDownLatch together) {
        return Process.of((events, out) -> {
            together.countDown();
            if (together.await(PATIENCE_SECONDS, SECONDS)) {
                answers.release();
            }
            out.done();
        });
    }

    private final class Burst implements Process {
        private final CountDownLatch together;
        private final int size;
        private ProcessContext context;

        Burst(CountDownLatch together, int size) {
            this.together = together;
            this.size = size;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (int i = 0; i < size; i++) {
                context.spawn(meeting(together), "main");
            }
            out.done();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Contract line M1, exactly once: no message and no wake-up is lost, at any moment of falling asleep.
 *
 * <p>Goal: 100 fresh schedulers, or as many as there is time for, with 10,000 messages each from a thread outside to one process, while another thread sends
 * noise; none is lost. Method: a closed loop. The sender waits for each answer before it sends the next message, so one
 * lost wake-up, of the process or of a worker, stops the loop; in an open loop the next message would heal it. The noise
 * goes to the same process in one half of the rounds, to race with its falling asleep, and to its neighbour in the other
 * half, to race with that of the workers; it comes in bursts with pauses, so that it does not keep everybody awake.
 *
 * <p>Catches: a sleep that overlooks an event that came during the step; a worker that parks without a last look; a waker
 * that does not look for sleepers; a wake-up that goes to a worker that is not asleep.
 */
class LostMessageTest {
    private static final int SCHEDULERS = 100;
    private static final int MESSAGES = 10_000;
    private static final int[] WORKERS = {1, 2, 8};
    private static final long ENOUGH_NANOS = TimeUnit.SECONDS.toNanos(60); // on a slow machine fewer must do
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    @Test
    void m1_whenEachMessageWaitsForItsAnswer_thenNoneIsLost() throws Exception {
        long seed = System.nanoTime();
        for (int i = 0; i < SCHEDULERS && System.nanoTime() - seed < ENOUGH_NANOS; i++) {
            new Round(WORKERS[i % WORKERS.length], i % 2 == 0, seed + i).run();
        }
    }

    /** One scheduler. */
    private static final class Round {
        private final int workers;
        private final boolean noiseToTheSame;
        private final long seed;
        private final AtomicInteger answered = new AtomicInteger();
        private volatile boolean finished;

        Round(int workers, boolean noiseToTheSame, long seed) {
            this.workers = workers;
            this.noiseToTheSame = noiseToTheSame;
            this.seed = seed;
        }

        void run() throws InterruptedException {
            try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
                ProcessRef echo = scheduler.submit(Process.of(this::answer), "main");
                ProcessRef neighbour = scheduler.submit(Process.of((events, out) -> out.idle()), "main");
                ProcessRef target = noiseToTheSame ? echo : neighbour;
                var noise = new Thread(() -> makeNoise(target));
                noise.start();
                try {
                    for (int i = 1; i <= MESSAGES; i++) {
                        assertThat(echo.send("ping", i).isDelivered()).isTrue();
                        awaitAnswer(i, scheduler, echo);
                    }
                } finally {
                    finished = true;
                    noise.join();
                }
            }
        }

        private void answer(Events events, StepOutput out) {
            for (int i = 0; i < events.size(); i++) {
                if (events.get(i) instanceof Message message && message.payload() instanceof Integer number) {
                    answered.set(number);
                }
            }
            out.idle();
        }

        /** Spins, for the answer comes soon; yields, for the worker may need this processor. */
        private void awaitAnswer(int number, Scheduler scheduler, ProcessRef echo) {
            long start = 0;
            for (int spins = 1; answered.get() != number; spins++) {
                if (spins % 32 != 0) {
                    Thread.onSpinWait();
                    continue;
                }
                Thread.yield();
                if (start == 0) {
                    start = System.nanoTime();
                } else if (System.nanoTime() - start > PATIENCE_NANOS) {
                    throw new AssertionError("message " + number + " was lost with " + workers + " workers, seed "
                            + seed
                            + ", noise to " + (noiseToTheSame ? "the same" : "its neighbour") + ": " + echo.inspect()
                            + ", " + scheduler.stats());
                }
            }
        }

        private void makeNoise(ProcessRef target) {
            var random = new SplittableRandom(seed);
            while (!finished) {
                int burst = 1 + random.nextInt(8);
                for (int i = 0; i < burst; i++) {
                    target.send("noise", null);
                }
                LockSupport.parkNanos(random.nextInt(100_000));
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Process;
import dev.treadle.ProcessExit;
import dev.treadle.Scheduler;
import dev.treadle.SchedulerListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: events that nobody records cost next to nothing. Method: processes that start and end at once, the most events that a
 * process can give for its work, in turn on a scheduler with the listener and on one with a listener that does nothing; and
 * the listener alone, called in a loop. The machine is never quiet, so the figures are printed, and what is asserted is far
 * from them.
 */
@Tag("stress")
class FlightRecorderCostStressTest {
    private static final int PROCESSES = 200_000;
    private static final int ROUNDS = Integer.getInteger("stress.rounds", 25);
    private static final int CALLS = 10_000_000;

    /** Counts those that have ended, which both schedulers have to be told of. */
    private static final class Ends implements SchedulerListener {
        private volatile CountDownLatch left = new CountDownLatch(0);

        @Override
        public void onComplete(ProcessExit exit) {
            left.countDown();
        }
    }

    private static double nanosEach(Scheduler scheduler, Ends ends) throws InterruptedException {
        ends.left = new CountDownLatch(PROCESSES);
        long start = System.nanoTime();
        for (int i = 0; i < PROCESSES; i++) {
            scheduler.submit(Process.of((events, out) -> out.done()), "main");
        }
        assertThat(ends.left.await(60, TimeUnit.SECONDS)).as("all have ended").isTrue();
        return (double) (System.nanoTime() - start) / PROCESSES;
    }

    @Test
    void aProcessStartsAndEndsAsFast() throws Exception {
        var plainEnds = new Ends();
        var heardEnds = new Ends();
        try (Scheduler plain = Scheduler.builder().listener(plainEnds).start();
                Scheduler heard = Scheduler.builder()
                        .listener(heardEnds)
                        .listener(new FlightRecorderListener())
                        .start()) {
            var without = new double[ROUNDS];
            var with = new double[ROUNDS];
            var ratios = new double[ROUNDS];
            for (int round = -3; round < ROUNDS; round++) {
                double plainNanos = nanosEach(plain, plainEnds);
                double heardNanos = nanosEach(heard, heardEnds);
                if (round >= 0) {
                    without[round] = plainNanos;
                    with[round] = heardNanos;
                    ratios[round] = heardNanos / plainNanos;
                }
            }
            Arrays.sort(without);
            Arrays.sort(with);
            Arrays.sort(ratios);
            System.out.printf(
                    "start and end of a process: %.0f ns without the recorder's listener, %.0f ns with it and no recording;"
                            + " ratio %.3f, quartiles %.3f to %.3f%n",
                    without[ROUNDS / 2],
                    with[ROUNDS / 2],
                    ratios[ROUNDS / 2],
                    ratios[ROUNDS / 4],
                    ratios[3 * ROUNDS / 4]);
            assertThat(ratios[ROUNDS / 2]).isLessThan(2);
        }
    }

    @Test
    void anEventThatIsNotRecordedIsAFewInstructions() {
        SchedulerListener listener = new FlightRecorderListener();
        var slept = Duration.ofMillis(1);
        double nanos = 0;
        for (int round = 0; round < 10; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                listener.onPark(i, slept);
            }
            nanos = (double) (System.nanoTime() - start) / CALLS;
        }
        System.out.printf("an event that is not recorded: %.2f ns%n", nanos);
        assertThat(nanos).isLessThan(1_000);
    }
}

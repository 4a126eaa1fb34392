// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * S5: an idle scheduler uses no processor time. Only its own threads are measured, so a busy machine does not matter.
 *
 * <p>Catches: a worker that polls, a watchdog that never dozes, a spare worker that does not sleep.
 */
class IdleCpuTest {
    private static final int IDLE_SECONDS = 5;
    private static final int PROCESSES = 1_000;

    private final List<Scheduler> schedulers = new ArrayList<>();

    @AfterEach
    void closeAll() {
        schedulers.forEach(Scheduler::close);
    }

    @Test
    void s5_givenIdleSchedulersOf1And2And8Workers_thenEachUsesLessThanOnePercentOfAProcessor()
            throws InterruptedException {
        for (int workers : new int[] {1, 2, 8}) {
            Scheduler scheduler =
                    Scheduler.builder().name("idle" + workers).workers(workers).start();
            schedulers.add(scheduler);
            makeBusyForAMoment(scheduler);
        }
        SECONDS.sleep(1); // the watchdog dozes after a while, and that is idle too
        List<Long> before = cpuNanos();
        SECONDS.sleep(IDLE_SECONDS);
        List<Long> after = cpuNanos();

        long onePercent = Duration.ofSeconds(IDLE_SECONDS).toNanos() / 100;
        for (int i = 0; i < schedulers.size(); i++) {
            assertThat(before.get(i)).as("it was busy, and can be measured").isPositive();
            assertThat(after.get(i) - before.get(i))
                    .as("processor time of %s in %d s", schedulers.get(i), IDLE_SECONDS)
                    .isLessThan(onePercent);
        }
    }

    private List<Long> cpuNanos() {
        return schedulers.stream().map(SchedulerThreads::cpuNanos).toList();
    }

    /** Leaves idle processes behind, and workers that have all worked and slept. */
    private static void makeBusyForAMoment(Scheduler scheduler) throws InterruptedException {
        var handled = new CountDownLatch(PROCESSES);
        List<ProcessRef> processes = Stream.generate(() -> scheduler.submit(
                        Process.of((events, out) -> {
                            for (int i = 0; i < events.size(); i++) {
                                handled.countDown();
                            }
                        }),
                        "main"))
                .limit(PROCESSES)
                .toList();
        processes.forEach(process -> process.send("work", null));
        assertThat(handled.await(60, SECONDS)).as("all have worked").isTrue();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal (Y1, Y5): of all that want to settle a yield at the same moment exactly one does. Method: some threads and the
 * timer are let go at once, thousands of times; all who lost must know it, and the process gets what the winner said.
 * Catches: an answer that is set without compare-and-set, a loser that is pushed too, an onCancel action that runs twice
 * or after the answer.
 */
class YieldRaceTest {
    private static final int ROUNDS = 3_000;
    private static final Duration TIMEOUT = Duration.ofMillis(50);

    private final Hold.Held held = new Hold.Held();
    private final ManualTime time = new ManualTime();
    private final ExecutorService threads = Executors.newFixedThreadPool(3);
    private final SteppedScheduler stepped = Scheduler.builder()
            .workers(1)
            .time(time)
            .handlers(new CommandRegistry().register(Hold.class, held))
            .stepped();

    @AfterEach
    void end() {
        threads.shutdown();
        stepped.close();
    }

    @Test
    void y1_ofAnswersAndATimeoutExactlyOneWins() throws Exception {
        var barrier = new CyclicBarrier(3);
        int timedOut = 0;
        long lost = 0;
        for (int i = 0; i < ROUNDS; i++) {
            var told = new AtomicInteger();
            var yielder = new Yielder(out -> out.yield(new Hold(), -1, TIMEOUT));
            ProcessRef process = stepped.scheduler().submit(yielder, "main");
            stepped.runAll();
            ResultReceiver receiver = held.take();
            receiver.onCancel(told::incrementAndGet);
            time.advance(TIMEOUT.plusMillis(2)); // a tick of the wheel, and some
            Future<Boolean> data = threads.submit(() -> {
                barrier.await();
                return receiver.complete("data");
            });
            Future<Boolean> error = threads.submit(() -> {
                barrier.await();
                return receiver.fail(new IOException("error"));
            });
            barrier.await();
            stepped.fireTimers();
            boolean dataWon = Soon.get(data);
            boolean errorWon = Soon.get(error);
            stepped.runAll();
            process.send("end", null);
            stepped.runAll();

            assertThat(yielder.completions()).hasSize(1);
            Completion completion = yielder.completions().get(0);
            boolean timeoutWon = completion.error() instanceof CommandTimeoutException;
            assertThat(dataWon).isEqualTo("data".equals(completion.data()));
            assertThat(errorWon).isEqualTo(completion.error() instanceof IOException);
            assertThat(Stream.of(dataWon, errorWon, timeoutWon).filter(won -> won))
                    .hasSize(1);
            assertThat(told.get()).as("onCancel runs if the timeout won").isEqualTo(timeoutWon ? 1 : 0);
            timedOut += timeoutWon ? 1 : 0;
            lost += (dataWon ? 0 : 1) + (errorWon ? 0 : 1);
        }

        assertThat(timedOut).as("both outcomes were seen").isBetween(1, ROUNDS - 1);
        assertThat(stepped.scheduler().stats().lateAnswers()).isEqualTo(lost);
    }

    /** Y5: an action that is registered while the process ends runs exactly once. */
    @Test
    void y5_anActionThatRacesWithTheEndRunsOnce() throws Exception {
        var barrier = new CyclicBarrier(2);
        for (int i = 0; i < ROUNDS; i++) {
            var told = new AtomicInteger();
            ProcessRef process = stepped.scheduler().submit(new Yielder(out -> out.yield(new Hold(), 1)), "main");
            stepped.runAll();
            ResultReceiver receiver = held.take();
            process.send("end", null);
            Future<?> registration = threads.submit(() -> {
                barrier.await();
                receiver.onCancel(told::incrementAndGet);
                return null;
            });
            barrier.await();
            stepped.runAll();
            Soon.get(registration);

            assertThat(told.get()).isEqualTo(1);
            assertThat(receiver.isCancelled()).isTrue();
        }
    }

    /** Y5: whoever is first, the answer or the end: the action runs only if the answer lost. */
    @Test
    void y5_anActionRunsOnlyIfTheAnswerCameTooLate() throws Exception {
        var barrier = new CyclicBarrier(2);
        int late = 0;
        for (int i = 0; i < ROUNDS; i++) {
            var told = new AtomicInteger();
            ProcessRef process = stepped.scheduler().submit(new Yielder(out -> out.yield(new Hold(), 1)), "main");
            stepped.runAll();
            ResultReceiver receiver = held.take();
            receiver.onCancel(told::incrementAndGet);
            process.terminate();
            Future<Boolean> answered = threads.submit(() -> {
                barrier.await();
                return receiver.complete(null);
            });
            barrier.await();
            stepped.runAll();
            boolean inTime = Soon.get(answered);
            late += inTime ? 0 : 1;

            if (inTime) {
                assertThat(told.get()).as("answered first").isZero();
            } else {
                assertThat(told.get()).isLessThanOrEqualTo(1);
            }
        }

        assertThat(stepped.scheduler().stats().lateAnswers())
                .as("the process read none of them")
                .isEqualTo(ROUNDS);
        assertThat(late).isPositive();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S6: a process last run by a worker that is busy is run by another that is not. There are no spare workers here, as no
 * step counts as slow; WorkerTakeoverTest is about those.
 *
 * <p>Catches: a wake that goes to the worker that ran the process last, a deque or later queue that cannot be stolen
 * from, a woken process that waits for its waker's step to end.
 */
class MigrationTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final int PROCESSES = 64;
    private static final long PATIENCE_SECONDS = 60;

    private final Semaphore handled = new Semaphore(0);
    private final AtomicInteger arrivals = new AtomicInteger();

    private Process counted() {
        return Process.of((events, out) -> handled.release(events.size()));
    }

    private static Scheduler start(int workers) {
        return Scheduler.builder().workers(workers).slowStepLimit(NEVER).start();
    }

    private void awaitHandled(int messages) throws InterruptedException {
        assertThat(handled.tryAcquire(messages, PATIENCE_SECONDS, SECONDS))
                .as("%d messages are handled while the worker is held", messages)
                .isTrue();
    }

    @Nested
    class S6GivenProcessesLastRunByAWorkerThatIsHeld {
        @ParameterizedTest
        @ValueSource(ints = {2, 8})
        void whenTheyAreWokenFromOutside_thenTheOtherWorkersRunThemAll(int workers) throws InterruptedException {
            try (Scheduler scheduler = start(workers)) {
                List<HoldingProcess> others = holdAllButOne(scheduler, workers);
                List<ProcessRef> processes = Stream.generate(() -> scheduler.submit(counted(), "main"))
                        .limit(PROCESSES)
                        .toList();
                processes.forEach(each -> each.send("work", null));
                awaitHandled(PROCESSES);
                var held = new HoldingProcess();
                ProcessRef holder = scheduler.submit(held, "main");
                held.awaitHeld();
                int busy = worker(holder);
                assertThat(processes).as("all were run by that worker").allMatch(each -> worker(each) == busy);
                others.forEach(HoldingProcess::letGo);

                processes.forEach(each -> each.send("work", null));

                awaitHandled(PROCESSES);
                assertThat(processes).as("none is run by that worker").noneMatch(each -> worker(each) == busy);
                held.letGo();
            }
        }

        private List<HoldingProcess> holdAllButOne(Scheduler scheduler, int workers) throws InterruptedException {
            List<HoldingProcess> held = new ArrayList<>();
            for (int i = 1; i < workers; i++) {
                var each = new HoldingProcess();
                held.add(each);
                scheduler.submit(each, "main");
                each.awaitHeld();
            }
            return held;
        }

        private int worker(ProcessRef process) {
            return process.inspect().orElseThrow().worker();
        }
    }

    @Nested
    class S6GivenAStepThatWakesManyAndGoesOn {
        @ParameterizedTest
        @ValueSource(ints = {2, 8})
        void thenTheOtherWorkersRunThemAllBeforeItEnds(int workers) {
            try (Scheduler scheduler = start(workers)) {
                List<ProcessRef> processes = Stream.generate(() -> scheduler.submit(counted(), "main"))
                        .limit(PROCESSES)
                        .toList();

                ProcessRef waker = scheduler.submit(
                        Process.of((events, out) -> {
                            processes.forEach(each -> each.send("work", null));
                            awaitHandled(PROCESSES);
                            out.done();
                        }),
                        "main");

                assertThat(waker.result()).succeedsWithin(Duration.ofSeconds(2 * PATIENCE_SECONDS));
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {2, 8})
        void thenTheOneItHandedOffDoesNotWaitForItsEndEither(int workers) {
            try (Scheduler scheduler = start(workers)) {
                ProcessRef handedOff = scheduler.submit(counted(), "main");

                ProcessRef waker = scheduler.submit(
                        Process.of((events, out) -> {
                            handedOff.send("work", null);
                            awaitHandled(1);
                            out.done();
                        }),
                        "main");

                assertThat(waker.result()).succeedsWithin(Duration.ofSeconds(2 * PATIENCE_SECONDS));
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {2, 8})
        void thenTheOnesThatSaidAgainDoNotWaitForItsEndEither(int workers) {
            try (Scheduler scheduler = start(workers)) {
                List<ProcessRef> processes = Stream.generate(() -> scheduler.submit(new TwoSteps(), "main"))
                        .limit(PROCESSES)
                        .toList();

                assertThat(processes)
                        .allSatisfy(each ->
                                assertThat(each.result()).succeedsWithin(Duration.ofSeconds(2 * PATIENCE_SECONDS)));
            }
        }
    }

    /** Says again(), and has a second step. The first of them to get there holds its worker until all the others were. */
    private final class TwoSteps implements Process {
        private boolean again;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) throws InterruptedException {
            if (!again) {
                again = true;
                out.again();
                return;
            }
            if (arrivals.getAndIncrement() == 0) {
                awaitHandled(PROCESSES - 1);
            } else {
                handled.release();
            }
            out.done();
        }
    }
}

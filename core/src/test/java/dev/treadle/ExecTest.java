// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.command.Call;
import dev.treadle.command.Exec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** {@link Exec} runs a process, {@link Call} a function, for their result. */
class ExecTest {
    private static Process doubling() {
        return new Process() {
            private int value;

            @Override
            public void init(ProcessContext context, String method, Payloads input) {
                value = input.get(0, Integer.class);
            }

            @Override
            public void step(Events events, StepOutput out) {
                out.done(2 * value);
            }
        };
    }

    @AtWorkers
    void aYieldCompletesWithTheResultOfTheProcess(int workers) {
        var yielder = new Yielder(out -> {
            for (int i = 0; i < 100; i++) {
                out.yield(Exec.of(doubling(), "main", i), i);
            }
        });
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            List<Completion> completions = yielder.finish(scheduler.submit(yielder, "main"), 100);
            assertThat(completions)
                    .hasSize(100)
                    .allSatisfy(completion ->
                            assertThat(completion.data(Integer.class)).isEqualTo((int) (2 * completion.tag())));
        }
    }

    @AtWorkers
    void aFunctionRunsOffTheWorkers(int workers) {
        var thread = new AtomicReference<String>();
        var yielder = new Yielder(out -> {
            out.yield(
                    new Call(() -> {
                        thread.set(Thread.currentThread().getName());
                        return "called";
                    }),
                    1);
            out.yield(
                    new Call(() -> {
                        throw new java.io.IOException("as told");
                    }),
                    2);
        });
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            List<Completion> completions = yielder.finish(scheduler.submit(yielder, "main"), 2);
            assertThat(completions)
                    .filteredOn(completion -> completion.tag() == 1)
                    .singleElement()
                    .satisfies(completion -> assertThat(completion.data()).isEqualTo("called"));
            assertThat(completions)
                    .filteredOn(completion -> completion.tag() == 2)
                    .singleElement()
                    .satisfies(completion -> assertThat(completion.error())
                            .isInstanceOf(java.io.IOException.class)
                            .hasMessage("as told"));
            assertThat(thread.get()).contains("blocking");
        }
    }

    @Test
    void theEndOfTheProcessInterruptsItsFunction() throws Exception {
        var entered = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        try (Scheduler scheduler = Scheduler.builder().workers(1).start()) {
            ProcessRef process = scheduler.submit(
                    new Yielder(out -> out.yield(
                            new Call(() -> {
                                entered.countDown();
                                try {
                                    new CountDownLatch(1).await();
                                } catch (InterruptedException e) {
                                    interrupted.countDown();
                                }
                                return null;
                            }),
                            1)),
                    "main");
            entered.await();
            process.terminate();
            assertThat(interrupted.await(Soon.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Nested
    class GivenAChildThatWaits {
        private final ManualTime time = new ManualTime();
        private final SteppedScheduler stepped =
                Scheduler.builder().workers(1).time(time).stepped();
        private final Scheduler scheduler = stepped.scheduler();
        private final AtomicReference<ProcessContext> child = new AtomicReference<>();

        private Process waiting(boolean heedsCancel) {
            return new Process() {
                @Override
                public void init(ProcessContext context, String method, Payloads input) {
                    child.set(context);
                }

                @Override
                public void step(Events events, StepOutput out) {
                    for (Event event : events) {
                        if (event instanceof Signal && heedsCancel) {
                            out.done("cancelled");
                        } else if (event instanceof Message message) {
                            throw new IllegalStateException(message.topic());
                        }
                    }
                }
            };
        }

        private ProcessRef caller(Yielder yielder) {
            ProcessRef caller = scheduler.submit(yielder, "main");
            stepped.runAll();
            return caller;
        }

        private boolean childLives() {
            return scheduler.inspect(child.get().self()).isPresent();
        }

        @Test
        void itIsAChildOfItsCaller() {
            ProcessRef caller = caller(new Yielder(out -> out.yield(Exec.of(waiting(true), "main"), 1)));
            assertThat(child.get().parent()).isEqualTo(caller.pid());
            stepped.close();
        }

        @Test
        void whatItFailsWithReachesTheCaller() {
            var yielder = new Yielder(out -> out.yield(Exec.of(waiting(true), "main"), 1));
            caller(yielder);
            scheduler.send(child.get().self(), "broken", null);
            stepped.runAll();
            assertThat(yielder.completions())
                    .singleElement()
                    .satisfies(completion -> assertThat(completion.error())
                            .isInstanceOf(ProcessFailedException.class)
                            .hasRootCauseMessage("broken"));
            stepped.close();
        }

        @Test
        void theEndOfTheCallerCancelsIt() {
            ProcessRef caller = caller(new Yielder(out -> out.yield(Exec.of(waiting(true), "main"), 1)));
            assertThat(childLives()).isTrue();
            caller.terminate();
            stepped.runAll();
            assertThat(childLives()).isFalse();
            stepped.close();
        }

        @Test
        void oneThatDoesNotHeedTheCancelIsEndedByForce() {
            ProcessRef caller = caller(new Yielder(out -> out.yield(Exec.of(waiting(false), "main"), 1)));
            caller.terminate();
            stepped.runAll();
            assertThat(childLives()).isTrue();
            time.advance(Exec.GRACE);
            stepped.fireTimers();
            stepped.runAll();
            assertThat(childLives()).isFalse();
            stepped.close();
        }

        @Test
        void aTimeoutCancelsItToo() {
            var yielder = new Yielder(out -> out.yield(Exec.of(waiting(true), "main"), 1, Duration.ofSeconds(1)));
            caller(yielder);
            time.advance(Duration.ofSeconds(1));
            stepped.fireTimers();
            stepped.runAll();
            assertThat(yielder.completions())
                    .singleElement()
                    .satisfies(
                            completion -> assertThat(completion.error()).isInstanceOf(CommandTimeoutException.class));
            assertThat(childLives()).isFalse();
            stepped.close();
        }

        @Test
        void aProcessThatDoesNotStartFailsTheYield() {
            var yielder = new Yielder(out -> out.yield(Exec.of(doubling(), "main", "not a number"), 1));
            caller(yielder);
            assertThat(yielder.completions())
                    .singleElement()
                    .satisfies(completion -> assertThat(completion.error())
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("argument 0"));
            stepped.close();
        }
    }
}

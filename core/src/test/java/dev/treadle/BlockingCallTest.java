// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Y7, Y5, E3: calls that say how they are stopped, share a limit, and are waited for by a shutdown. */
class BlockingCallTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ThreadLocal<String> BOUND = new ThreadLocal<>();

    private record Work() implements Command {}

    private record Other() implements Command {}

    private final String name = SchedulerThreads.newName("calls");
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger stops = new AtomicInteger();
    private final Semaphore gate = new Semaphore(0);
    private final HeldUp held = new HeldUp();

    @AfterEach
    void nothingIsLeft() {
        held.release();
        gate.release(1_000);
        SchedulerThreads.awaitNone(name);
    }

    private Scheduler start(int workers, CommandRegistry registry) {
        return Scheduler.builder()
                .name(name)
                .workers(workers)
                .slowStepLimit(Duration.ofHours(1)) // no spare worker may help
                .shutdownTimeout(Duration.ZERO)
                .handlers(registry)
                .start();
    }

    private static CommandRegistry registry(CommandRegistry.StoppableFunction<Work> function) {
        return new CommandRegistry().registerBlocking(Work.class, CallLimit.of(2, 3), function);
    }

    private static Yielder one(Command command) {
        return new Yielder(out -> out.yield(command, 1));
    }

    private static Completion completion(Scheduler scheduler, Command command) {
        Yielder yielder = one(command);
        return yielder.finish(scheduler.submit(yielder, "main"), 1).get(0);
    }

    /** Waits until it is stopped by its own action, deaf to interrupts; says whether it was interrupted as well. */
    private Object workDeafly(Work work, BlockingCall call) {
        var stopped = new CountDownLatch(1);
        call.stopBy(() -> {
            stops.incrementAndGet();
            stopped.countDown();
        });
        begun.incrementAndGet();
        boolean interrupted = false;
        while (true) {
            try {
                stopped.await();
                call.checkStopped();
                return "not stopped";
            } catch (InterruptedException e) {
                interrupted = true;
            } finally {
                held.interrupted.addAndGet(interrupted ? 1 : 0);
            }
        }
    }

    @Nested
    class GivenACallWithAWayOfItsOwnToStop {
        @AtWorkers
        void y5_whenItsProcessIsCancelled_thenItIsStoppedThatWayOnceAndNotInterrupted(int workers) {
            try (Scheduler scheduler = start(workers, registry(BlockingCallTest.this::workDeafly))) {
                Yielder yielder = one(new Work());
                ProcessRef process = scheduler.submit(yielder, "main");
                Soon.until(() -> begun.get() == 1);
                process.cancel("enough");
                Soon.until(() -> !yielder.completions().isEmpty());

                assertThat(yielder.completions().get(0).error())
                        .isInstanceOf(CancellationException.class)
                        .hasMessageContaining("Work was stopped");
                assertThat(stops).hasValue(1);
                assertThat(held.interrupted).hasValue(0);
            }
        }

        @AtWorkers
        void y5_whenItsYieldTimesOut_thenItIsStoppedThatWay(int workers) {
            try (Scheduler scheduler = start(workers, registry(BlockingCallTest.this::workDeafly))) {
                var yielder = new Yielder(out -> out.yield(new Work(), 1, Duration.ofMillis(50)));
                ProcessRef process = scheduler.submit(yielder, "main");

                assertThat(yielder.finish(process, 1).get(0).error()).isInstanceOf(CommandTimeoutException.class);
                Soon.until(() -> stops.get() == begun.get());
            }
        }

        /** A call that is told between two ways to stop must not lose the word. */
        @Test
        void whenItWasToldBefore_thenAWayThatItSetsLaterIsUsedAtOnce() {
            var told = new CompletableFuture<Boolean>();
            try (Scheduler scheduler = start(1, registry((work, call) -> {
                call.stopByNothing();
                begun.incrementAndGet();
                Soon.until(call::isStopped);
                boolean interrupted = Thread.currentThread().isInterrupted();
                call.stopBy(stops::incrementAndGet);
                call.stopByInterrupt();
                told.complete(!interrupted && Thread.currentThread().isInterrupted());
                return "done all the same";
            }))) {
                Yielder yielder = one(new Work());
                ProcessRef process = scheduler.submit(yielder, "main");
                Soon.until(() -> begun.get() == 1);
                process.cancel("enough");

                assertThat(Soon.get(told)).isTrue();
                assertThat(stops).hasValue(1);
                Soon.until(() -> !yielder.completions().isEmpty());
                assertThat(yielder.completions().get(0).data()).isEqualTo("done all the same");
            }
        }

        /** Catches an action that is run after its call is over, and would stop what the thread does next. */
        @Test
        void whenItIsOver_thenNothingStopsItAnyMore() {
            var calls = new ConcurrentLinkedQueue<BlockingCall>();
            try (Scheduler scheduler = start(1, registry((work, call) -> {
                call.stopBy(stops::incrementAndGet);
                calls.add(call);
                return Thread.currentThread().getName();
            }))) {
                assertThat((String) completion(scheduler, new Work()).data())
                        .startsWith("treadle-" + name + "-blocking-");
                calls.element().stop();

                assertThat(stops).hasValue(0);
                assertThatThrownBy(() -> calls.element().stopByInterrupt())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll("Work", Thread.currentThread().getName(), "must be its own");
            }
        }

        @Test
        void whenItStopsItself_thenItFailsAsIfItWereCancelled() {
            try (Scheduler scheduler = start(1, registry((work, call) -> {
                call.stop();
                throw new IllegalArgumentException("of a driver");
            }))) {
                assertThat(completion(scheduler, new Work()).error())
                        .isInstanceOf(CancellationException.class)
                        .hasCauseInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Nested
    class GivenALimit {
        private final CallLimit limit = CallLimit.of(2, 3);

        private Object atTheGate(Command command, BlockingCall call) throws InterruptedException {
            begun.incrementAndGet();
            gate.acquire();
            return "let go";
        }

        private CommandRegistry shared() {
            return new CommandRegistry()
                    .registerBlocking(Work.class, limit, this::atTheGate)
                    .registerBlocking(Other.class, limit, this::atTheGate);
        }

        @AtWorkers
        void y7_whenSeveralCommandsShareIt_thenTheyCountTogether(int workers) {
            try (Scheduler scheduler = start(workers, shared())) {
                var yielder = new Yielder(out -> {
                    for (int i = 0; i < 3; i++) {
                        out.yield(new Work(), 2L * i);
                        out.yield(new Other(), 2L * i + 1);
                    }
                });
                ProcessRef process = scheduler.submit(yielder, "main");
                Soon.until(() -> begun.get() == 2 && yielder.completions().size() == 1);
                assertThat(limit.running()).isEqualTo(2);
                assertThat(limit.waiting()).isEqualTo(3);
                Completion refused = yielder.completions().get(0);

                assertThat(refused.tag()).as("the sixth, one past the bound").isEqualTo(5);
                assertThat(refused.error())
                        .isInstanceOfSatisfying(CommandOverloadException.class, overload -> {
                            assertThat(overload.runningMax()).isEqualTo(2);
                            assertThat(overload.waitingMax()).isEqualTo(3);
                        })
                        .hasMessageContainingAll(Other.class.getTypeName(), "2 run and 3 wait", "raise the limits");
                gate.release(5);
                assertThat(yielder.finish(process, 6)).hasSize(6);
                Soon.until("all slots are back", () -> limit.running() == 0);
            }
        }

        /** A slot that one scheduler frees runs a call of the other, on the other's threads. */
        @Test
        void y7_whenTwoSchedulersUseOneRegistry_thenTheyShareIt() {
            CommandRegistry registry = new CommandRegistry()
                    .registerBlocking(Work.class, CallLimit.of(1, 10), (work, call) -> {
                        begun.incrementAndGet();
                        gate.acquire();
                        return Thread.currentThread().getName();
                    });
            try (Scheduler one = start(1, registry);
                    Scheduler two = Scheduler.builder()
                            .name(name + "-two")
                            .handlers(registry)
                            .start()) {
                Yielder first = one(new Work());
                ProcessRef ofOne = one.submit(first, "main");
                Soon.until(() -> begun.get() == 1);
                Yielder second = one(new Work());
                ProcessRef ofTwo = two.submit(second, "main");
                Soon.until(() -> ofTwo.inspect().orElseThrow().yieldsInFlight() == 1);
                assertThat(begun).hasValue(1);
                gate.release(2);

                assertThat((String) first.finish(ofOne, 1).get(0).data()).startsWith("treadle-" + name + "-blocking-");
                assertThat((String) second.finish(ofTwo, 1).get(0).data()).startsWith("treadle-" + name + "-two-");
            }
        }
    }

    @Nested
    class GivenWhatRunsBeside {
        @Test
        void
                whenACallAsksForIt_thenItRunsOnAnotherThreadWithTheSameAttributesAndTheAnswerComesBeforeWhatIsAfterwards() {
            var seen = new ConcurrentLinkedQueue<String>();
            CommandRegistry registry = registry((work, call) -> {
                var beside = new CompletableFuture<Thread>();
                call.beside(() -> {
                    seen.add("beside " + BOUND.get());
                    beside.complete(Thread.currentThread());
                });
                assertThat(beside.get(LONG.toSeconds(), TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
                call.beside(() -> {
                    throw new IllegalStateException("reported, and nothing else");
                });
                call.afterwards(() -> seen.add("afterwards " + BOUND.get()));
                seen.add(call.pid() + " " + call.attributes());
                return "call " + BOUND.get();
            });
            var yielder = one(new Work());
            try (Scheduler scheduler = Scheduler.builder()
                    .name(name)
                    .handlers(registry)
                    .binding(attributes -> {
                        BOUND.set((String) attributes.get("trace"));
                        return BOUND::remove;
                    })
                    .start()) {
                ProcessRef process =
                        scheduler.submit(Submission.of(yielder, "main").attribute("trace", "t1"));
                assertThat(yielder.finish(process, 1).get(0).data()).isEqualTo("call t1");
                Soon.until(() -> seen.size() == 3);

                assertThat(seen)
                        .containsExactly("beside t1", process.pid() + " " + Map.of("trace", "t1"), "afterwards t1");
            }
        }

        @Test
        void whenTheSchedulerHasShutDown_thenItIsRefused() {
            var calls = new CompletableFuture<BlockingCall>();
            try (Scheduler scheduler = start(1, registry((work, call) -> calls.complete(call)))) {
                completion(scheduler, new Work());
            }

            assertThatThrownBy(() -> Soon.get(calls).beside(() -> {})).isInstanceOf(RejectedExecutionException.class);
        }
    }

    @Nested
    class GivenAShutdown {
        /** Its process ends at once, and the call takes its time to stop; so does what runs beside. */
        @AtWorkers
        void e3_whenACallNeedsTimeToStop_thenItIsWaitedFor(int workers) {
            var ended = new AtomicInteger();
            Scheduler scheduler = start(workers, registry((work, call) -> {
                call.beside(() -> {
                    gate.acquireUninterruptibly();
                    ended.incrementAndGet();
                });
                begun.incrementAndGet();
                call.stopBy(() -> call.beside(() -> {
                    // Well beyond what a shutdown gives threads that have nothing more to do.
                    held.blockDeafly();
                }));
                held.blockDeafly();
                ended.incrementAndGet();
                return null;
            }));
            ProcessRef process = scheduler.submit(one(new Work()), "main");
            Soon.until(() -> begun.get() == 1);
            process.terminate();
            Soon.exitOf(process);
            var report = CompletableFuture.supplyAsync(() -> scheduler.shutdown(LONG));
            Soon.until("stopped in its own way", () -> held.entered.get() == 2);
            assertThat(report).isNotDone();
            held.release();
            Soon.until(() -> ended.get() == 1);
            assertThat(report).as("one is left").isNotDone();
            gate.release();

            assertThat(Soon.get(report).stuck()).isEmpty();
            assertThat(ended).hasValue(2);
            assertThat(held.interrupted).as("an interrupt is not its way").hasValue(0);
            SchedulerThreads.awaitNone(name);
        }

        @AtWorkers
        void e3_whenACallDoesNotStop_thenTheReportNamesIt(int workers) {
            Scheduler scheduler = start(workers, registry((work, call) -> {
                held.blockDeafly();
                return null;
            }));
            ProcessRef process = scheduler.submit(one(new Work()), "main");
            Soon.until(() -> held.entered.get() == 1);
            process.terminate();
            Soon.exitOf(process);
            ShutdownReport report = scheduler.shutdown(Duration.ZERO);

            assertThat(report.stuck()).singleElement().satisfies(stuck -> {
                assertThat(stuck.pid()).isEqualTo(process.pid());
                assertThat(stuck.thread()).startsWith("treadle-" + name + "-blocking-");
                assertThat(stuck.stack())
                        .extracting(StackTraceElement::getMethodName)
                        .contains("blockDeafly");
            });
            assertThat(report.forced()).as("its process had ended before").isZero();
        }

        /** Catches a shutdown that waits for the call that asked for it. */
        @Test
        void e1_whenACallShutsItsSchedulerDown_thenItDoesNotWaitForItself() {
            var schedulers = new CompletableFuture<Scheduler>();
            var report = new CompletableFuture<ShutdownReport>();
            Scheduler scheduler = start(2, registry((work, call) -> {
                call.stopByNothing();
                report.complete(Soon.get(schedulers).shutdown(LONG));
                return null;
            }));
            ProcessRef process = scheduler.submit(
                    Process.of((events, out) -> {
                        if (events.isEmpty()) {
                            out.yield(new Work(), 1);
                            out.idle();
                        } else {
                            out.done();
                        }
                    }),
                    "main");
            schedulers.complete(scheduler);

            assertThat(Soon.get(report).elapsed()).isLessThan(LONG.dividedBy(2));
            Soon.exitOf(process);
        }

        /** Catches a shutdown that waits for the lock under which that action runs. */
        @Test
        void e1_whenWhatStopsACallNeverEnds_thenTheShutdownDoes() {
            Scheduler scheduler = start(1, registry((work, call) -> {
                call.stopBy(held::blockDeafly);
                begun.incrementAndGet();
                gate.acquire();
                return null;
            }));
            ProcessRef process = scheduler.submit(one(new Work()), "main");
            Soon.until(() -> begun.get() == 1);
            process.terminate();
            Soon.until(() -> held.entered.get() == 1);

            assertThat(CompletableFuture.supplyAsync(() -> scheduler.shutdown(Duration.ofSeconds(1))))
                    .as("the action is held up until the end of the test")
                    .succeedsWithin(Duration.ofSeconds(30));
        }

        /** The process cannot be asked to end, so its calls are told by the shutdown itself: those that wait, too. */
        @Test
        void e3_whenTheirProcessIsStuck_thenThoseThatWaitAreNotBegun() {
            CallLimit limit = CallLimit.of(1, 10);
            Scheduler scheduler = start(2, new CommandRegistry().registerBlocking(Work.class, limit, (work, call) -> {
                        begun.incrementAndGet();
                        gate.acquire();
                        return null;
                    }));
            scheduler.submit(
                    Process.of((events, out) -> {
                        if (events.isFirst()) {
                            out.yield(new Work(), 1);
                            out.yield(new Work(), 2);
                            out.again();
                        } else {
                            held.blockDeafly();
                        }
                    }),
                    "main");
            Soon.until(() -> limit.running() == 1 && limit.waiting() == 1 && held.entered.get() == 1);
            ShutdownReport report = scheduler.shutdown(Duration.ZERO);

            assertThat(begun).hasValue(1);
            assertThat(report.stuck()).as("the process alone").hasSize(1);
            Soon.until(() -> limit.running() == 0);
        }

        @Test
        void e3_whenCallsRunAndWait_thenNoneIsLeftAfterwards() {
            CallLimit limit = CallLimit.of(1, 10);
            Scheduler scheduler = start(2, new CommandRegistry().registerBlocking(Work.class, limit, (work, call) -> {
                        begun.incrementAndGet();
                        gate.acquire();
                        return null;
                    }));
            for (int i = 0; i < 5; i++) {
                scheduler.submit(one(new Work()), "main");
            }
            Soon.until(() -> limit.running() == 1 && limit.waiting() == 4);
            ShutdownReport report = scheduler.shutdown(LONG);

            assertThat(limit.waiting()).isZero();
            assertThat(report.stuck()).isEmpty();
            Soon.until("the last slot is given back", () -> limit.running() == 0);
        }
    }

    /** Catches a call that waits for what the one before does afterwards: that is no longer within the limit. */
    @AtWorkers
    void y7_whatACallDoesAfterwardsHoldsUpNobody(int workers) {
        CallLimit limit = CallLimit.of(1, 1);
        var registry = new CommandRegistry().registerBlocking(Work.class, limit, (work, call) -> {
            if (begun.incrementAndGet() == 1) {
                gate.acquire();
                call.afterwards(held::blockDeafly);
            }
            return null;
        });
        try (Scheduler scheduler = start(workers, registry)) {
            Yielder first = one(new Work());
            ProcessRef process = scheduler.submit(first, "main");
            Soon.until(() -> begun.get() == 1);
            Yielder second = one(new Work());
            ProcessRef waiting = scheduler.submit(second, "main");
            Soon.until(() -> limit.waiting() == 1);
            gate.release();

            second.finish(waiting, 1);
            first.finish(process, 1);
            Soon.until(() -> held.entered.get() == 1);
            held.release();
        }
    }

    @Test
    void aRegistrationWithoutALimitOrAFunctionIsRefused() {
        var registry = new CommandRegistry();
        for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                () -> registry.registerBlocking(Work.class, (CallLimit) null, (work, call) -> null),
                () -> registry.register(Work.class, null, (work, receiver) -> {}),
                () -> registry.registerAsync(Work.class, null, work -> null))) {
            assertThatThrownBy(wrong).hasMessageContainingAll(Work.class.getName(), "is null", "CallLimit.of");
        }
        assertThatThrownBy(() -> registry.registerBlocking(Work.class, CallLimit.of(1, 1), null))
                .hasMessageContaining("give the function");
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.relay.Delivery;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** E3: after a shutdown no user code runs, no thread is left, and nothing is referenced that was not before. */
class AfterShutdownTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MANY = 100_000;

    /** Not where a handler holds them, or a walk through the handlers would come to their processes. */
    private static final List<ResultReceiver> RECEIVERS = new CopyOnWriteArrayList<>();

    private final HeldUp held = new HeldUp();
    private final String name = SchedulerThreads.newName("after");
    private final AtomicInteger calls = new AtomicInteger();

    /** Answered by the test, if at all; its handler is told when nobody wants the answer. */
    private record Wait() implements Command {}

    /** Answered by a thread of the scheduler's that blocks. */
    private record Block() implements Command {}

    @AfterEach
    void release() {
        held.release();
        RECEIVERS.clear();
        SchedulerThreads.awaitNone(name);
    }

    private SchedulerBuilder scheduler(int workers) {
        var registry = new CommandRegistry()
                .register(Wait.class, (wait, receiver) -> {
                    calls.incrementAndGet();
                    RECEIVERS.add(receiver);
                    receiver.onCancel(calls::incrementAndGet);
                })
                .registerBlocking(Block.class, block -> {
                    held.block();
                    return null;
                });
        return Scheduler.builder()
                .name(name)
                .workers(workers)
                .handlers(registry)
                .listener(new SchedulerListener() {});
    }

    private static boolean isOfAProcess(Object object) {
        return object instanceof ProcessCell || object instanceof Process || object instanceof EventNode;
    }

    @Nested
    class GivenAHundredThousandProcesses {
        @AtWorkers
        void e3_whenTheyWereAliveAtTheShutdown_thenNothingOfThemIsReachable(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            List<WeakReference<Process>> processes = new ArrayList<>();
            List<ProcessRef> refs = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                submitOneOf(scheduler, i, processes, refs);
            }
            assertThat(HeapWalk.find(scheduler, AfterShutdownTest::isOfAProcess))
                    .as("the walk finds them while they live")
                    .isPresent();

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.waiting()).as("%s", report).isEqualTo(MANY);
            SchedulerThreads.awaitNone(name);
            assertThat(HeapWalk.find(scheduler, AfterShutdownTest::isOfAProcess))
                    .as("a way from the scheduler to a process")
                    .isEmpty();
            Soon.until(() -> {
                System.gc();
                return processes.stream().allMatch(process -> process.refersTo(null));
            });
            assertThat(refs).as("kept all the while").hasSize(MANY);
            assertThat(scheduler.isStopping()).as("kept as well").isTrue();
        }

        /** Idle, blocked, with messages that it will not read, with a result that is waited for. */
        private void submitOneOf(
                Scheduler scheduler, int number, List<WeakReference<Process>> processes, List<ProcessRef> refs) {
            boolean blocks = number % 2 == 0;
            var process = new Small(blocks);
            processes.add(new WeakReference<>(process));
            ProcessRef ref = scheduler.submit(process, "main");
            refs.add(ref);
            if (number % 3 == 0) {
                ref.send("first", number);
                ref.send("second", number);
            }
            if (number % 5 == 0) {
                assertThat(ref.result()).isNotDone();
            }
        }

        @AtWorkers
        void e3_whenOneOfThemLoopsForEver_thenOnlyItsThreadIsLeft(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            ProcessRef looping = scheduler.submit(Process.of((events, out) -> held.blockDeafly()), "main");
            Soon.until(() -> held.entered.get() == 1);
            List<WeakReference<Process>> processes = new ArrayList<>();
            List<ProcessRef> refs = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                submitOneOf(scheduler, i, processes, refs);
            }

            ShutdownReport report = scheduler.shutdown(Duration.ofMillis(300));

            Thread thread = SchedulerThreads.awaitOne(name);
            assertThat(thread.isDaemon()).isTrue();
            assertThat(report.stuck()).singleElement().satisfies(stuck -> {
                assertThat(stuck.thread()).isEqualTo(thread.getName());
                assertThat(stuck.pid()).isEqualTo(looping.pid());
            });
            assertThat(HeapWalk.find(scheduler, object -> object instanceof Small))
                    .as("a way from the scheduler to another process than the one that loops")
                    .isEmpty();
            Soon.until(() -> {
                System.gc();
                return processes.stream().allMatch(process -> process.refersTo(null));
            });
            assertThat(refs).as("kept all the while").hasSize(1_000);

            held.release();
            SchedulerThreads.awaitNone(name);
            assertThat(HeapWalk.find(scheduler, object -> object instanceof Small))
                    .isEmpty();
        }
    }

    @Nested
    class GivenAllKindsOfThreads {
        @AtWorkers
        void e3_whenTimersSparesAndBlockingHandlersWereUsed_thenNoneOfTheirThreadsIsLeft(int workers) {
            Scheduler scheduler =
                    scheduler(workers).slowStepLimit(Duration.ofMillis(20)).start();
            scheduler.submit(
                    Process.of((events, out) -> {
                        if (events.isEmpty()) {
                            out.yield(new Wait(), 1, Duration.ofHours(1));
                            out.yield(new Block(), 2);
                        }
                    }),
                    "main");
            for (int i = 0; i < workers + 1; i++) {
                scheduler.submit(Process.of((events, out) -> held.block()), "main");
            }
            Soon.until(() -> held.entered.get() == workers + 2);
            assertThat(SchedulerThreads.alive(name))
                    .extracting(Thread::getName)
                    .anyMatch(thread -> thread.contains("-timer"))
                    .anyMatch(thread -> thread.contains("-spare-"))
                    .anyMatch(thread -> thread.contains("-watchdog"));

            scheduler.shutdown(Duration.ofMillis(100));

            SchedulerThreads.awaitNone(name);
            assertThat(held.interrupted).as("steps, and the blocking handler").hasValue(workers + 2);
            assertThat(HeapWalk.find(scheduler, AfterShutdownTest::isOfAProcess))
                    .isEmpty();
        }
    }

    @Nested
    class GivenAStoppedScheduler {
        @AtWorkers
        void e3_whenItIsUsed_thenItRefusesAndRunsNoUserCode(int workers) throws Exception {
            Scheduler scheduler = scheduler(workers).start();
            var process = new ProbeProcess((context, events, out) -> {
                if (events.isEmpty()) {
                    out.yield(new Wait(), 1, Duration.ofMillis(200));
                    out.idle();
                }
            });
            ProcessRef ref = scheduler.submit(process, "main");
            Soon.until(() -> !RECEIVERS.isEmpty());
            scheduler.shutdown(Duration.ZERO);
            int stepsThen = process.steps.get();
            int callsThen = calls.get();
            SchedulerStats statsThen = scheduler.stats();

            assertThat(ref.send("late", null)).isEqualTo(Delivery.STOPPING);
            assertThat(ref.cancel("late")).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(ref.cancel("late", Duration.ofSeconds(1))).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(ref.terminate()).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(ref.inspect()).isEmpty();
            assertThat(scheduler.processes()).isEmpty();
            assertThat(RECEIVERS.get(0).complete("late")).isFalse();
            assertThatThrownBy(() -> scheduler.submit(ProbeProcess.deaf(), "main"))
                    .isInstanceOf(SubmissionRefusedException.class);
            assertThatThrownBy(() -> ref.result().get(0, SECONDS)).hasCauseInstanceOf(ProcessFailedException.class);

            SchedulerStats stats = scheduler.stats();
            assertThat(stats.alive()).isZero();
            assertThat(stats.deadLetters()).isEqualTo(statsThen.deadLetters() + 1);
            assertThat(stats.lateAnswers()).isEqualTo(statsThen.lateAnswers() + 1);
            assertThat(stats.total().steps()).isEqualTo(statsThen.total().steps());
            assertThat(process.steps).hasValue(stepsThen);
            assertThat(process.closes).hasValue(1);
            assertThat(calls)
                    .as("calls of the handler and of its action on cancel")
                    .hasValue(callsThen);
            SchedulerThreads.awaitNone(name);
            assertThat(HeapWalk.find(scheduler, AfterShutdownTest::isOfAProcess))
                    .isEmpty();
        }
    }

    /** Small, as there are many; ignores all. */
    private record Small(boolean blocks) implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            if (blocks) {
                out.await();
            }
        }
    }
}

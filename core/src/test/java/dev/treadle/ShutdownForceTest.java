// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/**
 * E1, when user code does not return: the shutdown interrupts it, ends by force what is left, names what it cannot end,
 * and returns within the timeout plus one second.
 */
class ShutdownForceTest {
    private static final Duration TIMEOUT = Duration.ofMillis(200);

    private final HeldUp held = new HeldUp();
    private final RecordingListener listener = new RecordingListener();
    private final String name = SchedulerThreads.newName("force");

    @AfterEach
    void release() {
        held.release();
        SchedulerThreads.awaitNone(name);
    }

    private SchedulerBuilder scheduler(int workers) {
        return Scheduler.builder()
                .name(name)
                .workers(workers)
                .listener(listener)
                .slowStepLimit(Duration.ofMillis(20));
    }

    @Nested
    class GivenAStepThatNeverReturns {
        @AtWorkers
        void e1_whenItLoops_thenItIsNamedWithItsThreadAndWhereItIs(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            var looping = new ProbeProcess((context, events, out) -> held.loopForEver());
            ProcessRef ref = scheduler.submit(looping, "main");
            Soon.until(() -> held.entered.get() == 1);
            List<ProbeProcess> others = submitDeaf(scheduler, 10);

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.stuck()).singleElement().satisfies(stuck -> {
                assertThat(stuck.pid()).isEqualTo(ref.pid());
                Thread thread = SchedulerThreads.awaitOne(name);
                assertThat(stuck.thread()).isEqualTo(thread.getName());
                assertThat(thread.isDaemon()).isTrue();
                assertThat(stuck.stack())
                        .anyMatch(frame -> frame.getClassName().equals(HeldUp.class.getName())
                                && frame.getMethodName().equals("loopForEver"));
            });
            assertThat(report).asString().contains(ref.pid().toString()).contains("treadle-" + name);
            assertThat(report.isGraceful()).isFalse();
            assertThat(report.ended() + report.waiting() + report.forced())
                    .as("%s", report)
                    .isEqualTo(11);
            assertTerminated(ref);
            assertThat(others).allSatisfy(other -> assertThat(other.closes).hasValue(1));
        }

        @AtWorkers
        void e1_whenItReturnsAfterTheShutdown_thenNoUserCodeRunsAndTheThreadEnds(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            var looping = new ProbeProcess((context, events, out) -> {
                held.blockDeafly();
                out.again();
            });
            ProcessRef ref = scheduler.submit(looping, "main");
            Soon.until(() -> held.entered.get() == 1);
            scheduler.shutdown(TIMEOUT);

            held.release();

            SchedulerThreads.awaitNone(name);
            assertThat(looping.steps).hasValue(1);
            assertThat(looping.closes)
                    .as("it was given up, and must not be closed behind the user's back")
                    .hasValue(0);
            assertThat(listener.exits).singleElement().satisfies(exit -> {
                assertThat(exit.pid()).isEqualTo(ref.pid());
                assertThat(exit.kind()).isEqualTo(ProcessExit.Kind.TERMINATED);
            });
            assertThat(scheduler.stats().completed()).isEqualTo(1);
        }

        @AtWorkers
        void e1_whenThereAreMany_thenAllAreNamedOnceAndInterrupted(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            int count = workers + 4;
            List<Pid> pids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                pids.add(scheduler
                        .submit(Process.of((events, out) -> held.blockDeafly()), "main")
                        .pid());
            }
            Soon.until(() -> held.entered.get() == count); // spare workers step those for which there was none

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.stuck()).extracting(ShutdownReport.Stuck::pid).containsExactlyInAnyOrderElementsOf(pids);
            assertThat(report.stuck()).extracting(ShutdownReport.Stuck::thread).doesNotHaveDuplicates();
            assertThat(report.forced()).isEqualTo(count);
            assertThat(held.interrupted.get()).isGreaterThanOrEqualTo(count);
        }

        @AtWorkers
        void e1_whenNoSpareWorkerTakesOver_thenTheOthersAreClosedAllTheSame(int workers) {
            Scheduler scheduler =
                    scheduler(workers).slowStepLimit(Duration.ofHours(1)).start();
            for (int i = 0; i < workers; i++) {
                scheduler.submit(Process.of((events, out) -> held.blockDeafly()), "main");
            }
            Soon.until(() -> held.entered.get() == workers);
            List<ProbeProcess> others = submitDeaf(scheduler, 20);

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.stuck()).as("%s", report).hasSize(workers);
            assertThat(others).allSatisfy(other -> {
                assertThat(other.closes).hasValue(1);
                assertThat(other.steps).hasValue(0);
            });
            assertThat(listener.exits).hasSize(20 + workers);
        }
    }

    @Nested
    class GivenUserCodeThatReactsToInterruption {
        @AtWorkers
        void e1_whenStepsBlock_thenTheyAreInterruptedClosedAndNotStuck(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            int count = 2 * workers;
            List<ProbeProcess> processes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                var blocking = new ProbeProcess((context, events, out) -> held.block());
                processes.add(blocking);
                scheduler.submit(blocking, "main");
            }
            Soon.until(() -> held.entered.get() == count);

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.stuck()).as("%s", report).isEmpty();
            assertThat(report.forced()).as("%s", report).isEqualTo(count);
            assertThat(report.elapsed()).isGreaterThanOrEqualTo(TIMEOUT);
            assertThat(held.interrupted).hasValue(count);
            assertThat(processes)
                    .allSatisfy(process -> assertThat(process.closes).hasValue(1));
            SchedulerThreads.awaitNone(name);
        }

        @AtWorkers
        void e1_whenAStepSwallowsTheInterruptAndGoesOn_thenItIsNotSteppedAgain(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            var stubborn = new ProbeProcess((context, events, out) -> {
                try {
                    held.block();
                } catch (InterruptedException e) {
                    out.again();
                }
            });
            ProcessRef ref = scheduler.submit(stubborn, "main");
            Soon.until(() -> held.entered.get() == 1);

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.forced()).as("%s", report).isEqualTo(1);
            assertThat(report.stuck()).as("%s", report).isEmpty();
            assertThat(stubborn.steps).hasValue(1);
            assertThat(stubborn.closes).hasValue(1);
            assertTerminated(ref);
        }

        @AtWorkers
        void e1_whenClosesBlock_thenTheyAreInterruptedAndNoThreadIsLeft(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            int count = 2 * workers;
            List<ProbeProcess> processes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                var blocking = new ProbeProcess((context, events, out) -> {}, held::block);
                processes.add(blocking);
                scheduler.submit(blocking, "main");
            }

            scheduler.shutdown(TIMEOUT);

            assertThat(processes)
                    .allSatisfy(process -> assertThat(process.closes).hasValue(1));
            assertThat(held.interrupted).as("closes that were told to stop").hasValue(count);
            SchedulerThreads.awaitNone(name);
        }
    }

    @Nested
    class GivenACloseThatNeverReturns {
        @AtWorkers
        void e1_whenItIsDeafToInterruption_thenItIsNamedAndTheOthersAreClosed(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            var deafClose = new ProbeProcess((context, events, out) -> {}, held::blockDeafly);
            ProcessRef ref = scheduler.submit(deafClose, "main");
            List<ProbeProcess> others = submitDeaf(scheduler, 100);

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.stuck()).singleElement().satisfies(stuck -> {
                assertThat(stuck.pid()).isEqualTo(ref.pid());
                assertThat(stuck.stack())
                        .anyMatch(frame -> frame.getMethodName().equals("blockDeafly"));
            });
            assertThat(report.isGraceful()).as("%s", report).isFalse();
            assertTerminated(ref);
            assertThat(others).allSatisfy(other -> assertThat(other.closes).hasValue(1));
            assertThat(deafClose.closes).hasValue(1);
            assertThat(held.interrupted.get()).isPositive();
            assertThat(scheduler.stats().completed()).isEqualTo(101);
        }
    }

    @Nested
    class GivenAnInitThatNeverReturns {
        @AtWorkers
        void e1_whenTheTimeIsUp_thenItsSubmissionIsRefusedWhenItReturns(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            var closes = ProbeProcess.deaf();
            var starting = new Process() {
                @Override
                public void init(ProcessContext context, String method, Payloads input) {
                    held.blockDeafly();
                }

                @Override
                public void step(Events events, StepOutput out) throws Exception {
                    closes.step(events, out);
                }

                @Override
                public void close() throws Exception {
                    closes.close();
                }
            };
            var submission = Aside.run(() -> scheduler.submit(starting, "main"));
            Soon.until(() -> held.entered.get() == 1);

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.forced()).as("%s", report).isEqualTo(1);
            SchedulerThreads.awaitNone(name);
            held.release();
            assertThatThrownBy(() -> submission.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            SubmissionRefusedException.class,
                            e -> assertThat(e.reason()).isEqualTo(SubmissionRefusedException.Reason.STOPPING));
            assertThat(closes.closes).hasValue(1);
            assertThat(closes.steps).hasValue(0);
            assertThat(scheduler.stats().completed())
                    .isEqualTo(scheduler.stats().submitted());
        }
    }

    private static List<ProbeProcess> submitDeaf(Scheduler scheduler, int count) {
        List<ProbeProcess> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            var process = ProbeProcess.deaf();
            processes.add(process);
            scheduler.submit(process, "main");
        }
        return processes;
    }

    private static void assertTerminated(ProcessRef ref) {
        assertThatThrownBy(() -> ref.result().get(0, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        ProcessFailedException.class,
                        e -> assertThat(e.exit().kind()).isEqualTo(ProcessExit.Kind.TERMINATED));
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.CompletableFuture.delayedExecutor;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * E1, as long as processes do what they are asked: they get the cancel signal, may take their time to answer it, and the
 * shutdown returns soon after the last of them has ended. {@link ShutdownQuietTest} and {@link ShutdownForceTest} have
 * those that do not.
 */
class ShutdownTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Well before the timeout, and long enough for a machine that has other things to do. */
    private static final Duration SOON = Duration.ofSeconds(15);

    private final RecordingListener listener = new RecordingListener();
    private final List<ResultReceiver> unanswered = new ArrayList<>();

    /** Is answered after a while, by a thread that is none of the scheduler's. */
    private record Pause(long millis) implements Command {}

    /** Is never answered, unless the test does it. */
    private record Wait() implements Command {}

    private SchedulerBuilder scheduler(int workers) {
        var registry = new CommandRegistry()
                .register(
                        Pause.class,
                        (pause, receiver) -> delayedExecutor(pause.millis(), MILLISECONDS)
                                .execute(() -> receiver.complete("rested")))
                .register(Wait.class, (wait, receiver) -> {
                    synchronized (unanswered) {
                        unanswered.add(receiver);
                    }
                });
        return Scheduler.builder().workers(workers).handlers(registry).listener(listener);
    }

    private static CompletableFuture<ShutdownReport> shutDownElsewhere(Scheduler scheduler) {
        var report = Aside.run(() -> scheduler.shutdown(TIMEOUT));
        Soon.until(scheduler::isStopping);
        return report;
    }

    @Nested
    class GivenProcessesThatAnswerTheSignal {
        @AtWorkers
        void e1_whenTheyAwaitATimerFirst_thenItReturnsSoonAfterThat(int workers) throws Exception {
            Scheduler scheduler = scheduler(workers).start();
            List<ProcessRef> refs = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                refs.add(scheduler.submit(new ProbeProcess(ShutdownTest::restAndEnd), "main"));
            }

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.ended()).as("%s", report).isEqualTo(20);
            assertThat(report.waiting() + report.forced()).as("%s", report).isZero();
            assertThat(report.isGraceful()).isTrue();
            assertThat(report.stuck()).isEmpty();
            assertThat(report.elapsed()).isBetween(Duration.ofMillis(20), SOON);
            for (ProcessRef ref : refs) {
                assertThat(ref.result().get(0, SECONDS))
                        .as("it ended by itself, after its pause")
                        .isEqualTo("rested");
            }
        }

        /** The last process is off the table before its listeners have heard of it. */
        @AtWorkers
        void e1_whenAListenerTakesItsTime_thenItIsNotInterruptedAndTheResultIsThere(int workers) throws Exception {
            var interrupted = new AtomicReference<Throwable>();
            Scheduler scheduler = scheduler(workers)
                    .slowStepLimit(Duration.ofMinutes(5))
                    .listener(new SchedulerListener() {
                        @Override
                        public void onComplete(ProcessExit exit) {
                            try {
                                new CountDownLatch(1).await(1, SECONDS); // slow work
                            } catch (InterruptedException e) {
                                interrupted.set(e);
                            }
                        }
                    })
                    .start();
            ProcessRef ref = scheduler.submit(ProbeProcess.obedient(), "main");

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(ref.result()).isDone();
            assertThat(interrupted).hasValue(null);
            assertThat(report.stuck()).isEmpty();
            assertThat(report.ended()).isEqualTo(1);
        }

        @AtWorkers
        void e1_whenTheyEndAtOnce_thenTheReportCountsThemAndEachIsClosedOnce(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            List<ProbeProcess> processes = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                var process = ProbeProcess.obedient();
                processes.add(process);
                scheduler.submit(process, "main");
            }

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.ended()).as("%s", report).isEqualTo(1_000);
            assertThat(report.elapsed()).isLessThan(SOON);
            assertThat(processes).allSatisfy(process -> {
                assertThat(process.cancels).hasValue(1);
                assertThat(process.closes).hasValue(1);
            });
            assertThat(listener.exits).hasSize(1_000).allMatch(ProcessExit::isDone);
        }

        @AtWorkers
        void e1_whenOneIsIdleBlockedOrRunning_thenItGetsTheSignalOnceWithTheReason(int workers) throws Exception {
            Scheduler scheduler = scheduler(workers).start();
            var running = new CountDownLatch(1);
            var mayGoOn = new CountDownLatch(1);
            var reasons = new Reasons();
            var idle = new ProbeProcess((context, events, out) -> reasons.endIfCancelled(events, out));
            var blocked = new ProbeProcess((context, events, out) -> {
                if (events.isEmpty()) {
                    out.yield(new Wait(), 1);
                }
                reasons.endIfCancelled(events, out);
            });
            var held = new ProbeProcess((context, events, out) -> {
                if (events.isEmpty()) {
                    running.countDown();
                    mayGoOn.await();
                }
                reasons.endIfCancelled(events, out);
            });
            ProcessRef idleRef = scheduler.submit(idle, "main");
            ProcessRef blockedRef = scheduler.submit(blocked, "main");
            Soon.reaches(idleRef, ProcessInfo.State.IDLE);
            Soon.reaches(blockedRef, ProcessInfo.State.BLOCKED);
            scheduler.submit(held, "main");
            running.await();

            var report = shutDownElsewhere(scheduler);
            mayGoOn.countDown();

            assertThat(report.get(30, SECONDS).ended()).isEqualTo(3);
            assertThat(List.of(idle, blocked, held))
                    .allSatisfy(process -> assertThat(process.cancels).hasValue(1));
            assertThat(reasons.texts()).hasSize(3).containsOnly("the scheduler is shutting down");
        }

        @AtWorkers
        void e1_whenTheyTalkToEachOtherBeforeTheyEnd_thenTheirMessagesArrive(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            var listening = new ProbeProcess((context, events, out) -> {
                for (Event event : events) {
                    if (event instanceof Message message) {
                        assertThat(context.send(message.sender(), "noted", message.payload()))
                                .isEqualTo(Delivery.DELIVERED);
                        out.done(message.payload());
                    }
                }
            });
            ProcessRef keeper = scheduler.submit(listening, "main");
            var leaving = new ProbeProcess((context, events, out) -> {
                for (Event event : events) {
                    if (event instanceof Signal) {
                        context.send(keeper.pid(), "last words", "farewell");
                    } else if (event instanceof Message message) {
                        out.done(message.topic());
                    }
                }
            });
            ProcessRef talker = scheduler.submit(leaving, "main");

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.ended()).as("%s", report).isEqualTo(2);
            assertThat(keeper.result()).isCompletedWithValue("farewell");
            assertThat(talker.result()).isCompletedWithValue("noted");
            assertThat(listener.deadLetters).isEmpty();
        }
    }

    @Nested
    class GivenAShutdownUnderWay {
        @AtWorkers
        void e1_whenAMessageComesFromOutside_thenItIsRefusedAndBecomesADeadLetter(int workers) throws Exception {
            Scheduler scheduler = scheduler(workers).start();
            ProcessRef ref = scheduler.submit(new ProbeProcess(ShutdownTest::waitAndEnd), "main");
            var report = shutDownElsewhere(scheduler);
            Soon.until(() -> !unansweredNow().isEmpty());

            Delivery byRef = ref.send("too", "late");
            Delivery byPid = scheduler.send(Pid.parse(ref.pid().toString()), "too", "late");

            assertThat(List.of(byRef, byPid)).containsOnly(Delivery.STOPPING);
            assertThat(listener.deadLetters).hasSize(2).allSatisfy(letter -> {
                assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.STOPPING);
                assertThat(letter.envelope().target()).isEqualTo(ref.pid());
                assertThat(letter.envelope().payload()).isEqualTo("late");
            });
            assertThat(scheduler.stats().deadLetters()).isEqualTo(2);
            unansweredNow().forEach(receiver -> receiver.complete("now"));
            assertThat(report.get(30, SECONDS).ended()).isEqualTo(1);
            assertThat(ref.result()).isCompletedWithValue("now");
        }

        @AtWorkers
        void e1_whenAProcessIsSubmittedOrSpawned_thenItIsRefusedAndNeverInitialised(int workers) throws Exception {
            Scheduler scheduler = scheduler(workers).start();
            var late = ProbeProcess.deaf();
            var refusal = new AtomicReference<Throwable>();
            ProcessRef parent = scheduler.submit(
                    new ProbeProcess((context, events, out) -> {
                        if (ProbeProcess.isCancelled(events)) {
                            try {
                                context.spawn(late, "main");
                            } catch (SubmissionRefusedException e) {
                                refusal.set(e);
                            }
                        }
                        waitAndEnd(context, events, out);
                    }),
                    "main");
            var report = shutDownElsewhere(scheduler);
            Soon.until(() -> !unansweredNow().isEmpty());

            assertThatThrownBy(() -> scheduler.submit(late, "main"))
                    .isInstanceOfSatisfying(
                            SubmissionRefusedException.class,
                            e -> assertThat(e.reason()).isEqualTo(SubmissionRefusedException.Reason.STOPPING))
                    .hasMessageContaining(scheduler.name())
                    .hasMessageContaining("submit before shutdown()");
            assertThat(refusal.get())
                    .isInstanceOfSatisfying(
                            SubmissionRefusedException.class,
                            e -> assertThat(e.reason()).isEqualTo(SubmissionRefusedException.Reason.STOPPING));
            assertThat(late.inits).as("init of a process that is refused").hasValue(0);
            unansweredNow().forEach(receiver -> receiver.complete("now"));
            assertThat(report.get(30, SECONDS).isGraceful()).isTrue();
            assertThat(parent.result()).isCompletedWithValue("now");
        }
    }

    @Nested
    class GivenTheCallItself {
        @Test
        void e1_whenThereIsNoProcess_thenItReturnsAtOnce() {
            Scheduler scheduler = scheduler(2).start();
            assertThat(scheduler.isStopping()).isFalse();

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            assertThat(report.ended() + report.waiting() + report.forced()).isZero();
            assertThat(report.elapsed()).isLessThan(SOON);
            assertThat(scheduler.isStopping()).isTrue();
        }

        @Test
        void e1_whenAStepCallsIt_thenItIsRefusedAsItWouldWaitForItself() throws Exception {
            try (Scheduler scheduler = scheduler(1).start()) {
                ProcessRef ref = scheduler.submit(
                        Process.of((events, out) -> {
                            scheduler.shutdown(TIMEOUT);
                            out.done();
                        }),
                        "main");

                assertThatThrownBy(() -> ref.result().get(30, SECONDS))
                        .rootCause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("shut down its own scheduler");
                assertThat(scheduler.isStopping()).isFalse();
            }
        }

        @Test
        void e1_whenTheTimeoutIsNegativeOrMissing_thenItIsRefusedAndNothingStops() {
            try (Scheduler scheduler = scheduler(1).start()) {
                assertThatThrownBy(() -> scheduler.shutdown(Duration.ofNanos(-1)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("timeout was PT-0.000000001S")
                        .hasMessageContaining("Duration.ZERO");
                assertThatThrownBy(() -> scheduler.shutdown(null))
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageContaining("timeout is null");
                assertThat(scheduler.isStopping()).isFalse();
            }
        }

        @AtWorkers
        void e1_whenTheSchedulerIsClosed_thenProcessesEndAsInAShutdown(int workers) {
            ProcessRef ref;
            try (Scheduler scheduler =
                    scheduler(workers).shutdownTimeout(TIMEOUT).start()) {
                ref = scheduler.submit(new ProbeProcess(ShutdownTest::restAndEnd), "main");
            }

            assertThat(ref.result()).isCompletedWithValue("rested");
        }

        @Test
        void e1_whenTheReportIsPrinted_thenItTellsWhoWasStuckWhere() {
            var stack = List.of(new StackTraceElement("Shop", "sell", "Shop.java", 7));
            var stuck = new ShutdownReport.Stuck(Pid.of("main", 3), "treadle-main-worker-0", stack);
            var report = new ShutdownReport(1, 2, 4, List.of(stuck), Duration.ofMillis(1_500));

            assertThat(report)
                    .hasToString("1 ended by themselves, 2 were waiting, 4 ended by force, in 1500 ms; "
                            + "stuck: {main|3} on treadle-main-worker-0 at Shop.sell(Shop.java:7)");
            assertThat(report.isGraceful()).isFalse();
        }
    }

    /** Asked to end, it yields a pause of 20 ms, and is done with what that answers. */
    private static void restAndEnd(ProcessContext context, Events events, StepOutput out) {
        answerBy(new Pause(20), events, out);
    }

    /** Asked to end, it yields what only the test answers, and is done with that. */
    private static void waitAndEnd(ProcessContext context, Events events, StepOutput out) {
        answerBy(new Wait(), events, out);
    }

    private static void answerBy(Command command, Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Signal) {
                out.yield(command, 7);
            } else if (event instanceof Completion completion) {
                out.done(completion.data());
            }
        }
    }

    private List<ResultReceiver> unansweredNow() {
        synchronized (unanswered) {
            return List.copyOf(unanswered);
        }
    }

    /** Keeps the reasons of cancel signals. */
    private static final class Reasons {
        private final List<String> texts = new CopyOnWriteArrayList<>();

        void endIfCancelled(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Signal signal && signal.isCancel()) {
                    texts.add(signal.reason());
                    out.done();
                }
            }
        }

        List<String> texts() {
            return texts;
        }
    }
}

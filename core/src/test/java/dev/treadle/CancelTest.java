// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** E2: cancel asks, cancel with a deadline ends by force after it, terminate ends at the next step boundary. */
class CancelTest {
    private final ManualTime time = new ManualTime();
    private final RecordingListener listener = new RecordingListener();
    private final List<String> stopped = new CopyOnWriteArrayList<>();

    /** Never answered; tells when its handler is told to stop. */
    private record Wait(String name) implements Command {}

    private SchedulerBuilder scheduler(int workers) {
        var registry = new CommandRegistry()
                .register(Wait.class, (wait, receiver) -> receiver.onCancel(() -> stopped.add(wait.name())));
        return Scheduler.builder().workers(workers).handlers(registry).listener(listener);
    }

    private SteppedScheduler stepped(int workers) {
        return scheduler(workers).time(time).stepped();
    }

    private void assertEnded(ProbeProcess process, ProcessExit.Kind kind) {
        assertThat(process.closes).hasValue(1);
        assertThat(listener.exits).extracting(ProcessExit::kind).containsExactly(kind);
    }

    @Nested
    class GivenACancel {
        @AtWorkers
        void e2_whenTheProcessTakesItsTime_thenItLivesOnUntilItIsDone(int workers) {
            SteppedScheduler stepped = stepped(workers);
            List<String> reasons = new ArrayList<>();
            List<Boolean> flags = new ArrayList<>();
            var process = new ProbeProcess((context, events, out) -> {
                flags.add(context.isCancelled());
                for (Event event : events) {
                    if (event instanceof Signal signal && signal.isCancel()) {
                        reasons.add(signal.reason());
                    } else if (event instanceof Message message
                            && message.topic().equals("end")) {
                        out.done("in my own time");
                    }
                }
            });
            ProcessRef ref = stepped.scheduler().submit(process, "main");
            stepped.runAll();

            assertThat(ref.cancel("the user left")).isEqualTo(Delivery.DELIVERED);
            stepped.runAll();
            time.advance(Duration.ofDays(1));
            stepped.fireTimers();
            stepped.runAll();

            assertThat(reasons).containsExactly("the user left");
            assertThat(flags).containsExactly(false, true);
            assertThat(ref.inspect()).as("it was asked, not ended").isPresent();
            assertThat(ref.send("work", null)).isEqualTo(Delivery.DELIVERED);
            ref.send("end", null);
            stepped.runAll();
            assertThat(ref.result()).isCompletedWithValue("in my own time");
            assertEnded(process, ProcessExit.Kind.DONE);
        }

        @AtWorkers
        void e2_whenTheProcessHasEnded_thenThereIsNobodyToAsk(int workers) {
            SteppedScheduler stepped = stepped(workers);
            ProcessRef ref = stepped.scheduler().submit(Process.of((events, out) -> out.done()), "main");
            stepped.runAll();

            assertThat(ref.cancel("too late")).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(ref.cancel("too late", Duration.ofSeconds(1))).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(ref.terminate()).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(stepped.scheduler().cancel(Pid.of("main", 4_711), "who")).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(stepped.nextTimerNanos()).as("a timer for nobody").isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void e2_whenTheReasonOrTheDeadlineIsMissing_thenItIsRefused() {
            SteppedScheduler stepped = stepped(1);
            ProcessRef ref = stepped.scheduler().submit(ProbeProcess.deaf(), "main");

            assertThatThrownBy(() -> ref.cancel(null)).hasMessageContaining("reason is null");
            assertThatThrownBy(() -> ref.cancel("why", null)).hasMessageContaining("deadline is null");
            assertThatThrownBy(() -> ref.cancel("why", Duration.ofMillis(-5)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("deadline was PT-0.005S");
            assertThatThrownBy(() -> stepped.scheduler().terminate(null)).hasMessageContaining("pid is null");
            assertThat(ref.inspect())
                    .hasValueSatisfying(info -> assertThat(info.state()).isEqualTo(ProcessInfo.State.READY));
        }
    }

    @Nested
    class GivenADeadline {
        private static final Duration DEADLINE = Duration.ofSeconds(5);

        @AtWorkers
        void e2_whenTheProcessIgnoresTheSignal_thenItEndsByForceAtTheDeadlineAndNotBefore(int workers) {
            SteppedScheduler stepped = stepped(workers);
            var deaf = ProbeProcess.deaf();
            ProcessRef ref = stepped.scheduler().submit(deaf, "main");
            stepped.runAll();

            assertThat(ref.cancel("quota used up", DEADLINE)).isEqualTo(Delivery.DELIVERED);
            pass(stepped, DEADLINE.minusMillis(10));
            assertThat(deaf.cancels).hasValue(1);
            assertThat(deaf.closes).as("before the deadline").hasValue(0);

            pass(stepped, Duration.ofMillis(20));

            assertEnded(deaf, ProcessExit.Kind.TERMINATED);
            assertThat(deaf.steps).as("its first step, and that of the signal").hasValue(2);
            assertThatThrownBy(() -> ref.result().join())
                    .rootCause()
                    .isInstanceOf(ProcessTerminatedException.class)
                    .hasMessageContaining("deadline")
                    .hasMessageContaining("quota used up");
        }

        @AtWorkers
        void e2_whenTheProcessEndsBefore_thenThatCountsAndNoTimerIsLeft(int workers) {
            SteppedScheduler stepped = stepped(workers);
            var obedient = ProbeProcess.obedient();
            ProcessRef ref = stepped.scheduler().submit(obedient, "main");

            ref.cancel("no longer needed", DEADLINE);
            stepped.runAll();

            assertThat(ref.result()).isCompletedWithValue("cancelled");
            assertThat(stepped.nextTimerNanos())
                    .as("a timer that would hold the ended process")
                    .isEqualTo(Long.MAX_VALUE);
            pass(stepped, DEADLINE.multipliedBy(2));
            assertEnded(obedient, ProcessExit.Kind.DONE);
        }

        @AtWorkers
        void e2_whenSeveralAreSet_thenTheFirstOneCounts(int workers) {
            SteppedScheduler stepped = stepped(workers);
            var deaf = ProbeProcess.deaf();
            ProcessRef ref = stepped.scheduler().submit(deaf, "main");

            ref.cancel("later", DEADLINE.multipliedBy(3));
            ref.cancel("sooner", DEADLINE);
            pass(stepped, DEADLINE.plusMillis(10));

            assertEnded(deaf, ProcessExit.Kind.TERMINATED);
        }

        @AtWorkers
        void e2_whenRealTimePasses_thenItEndsByForceToo(int workers) throws Exception {
            try (Scheduler scheduler = scheduler(workers).start()) {
                var deaf = ProbeProcess.deaf();
                ProcessRef ref = scheduler.submit(deaf, "main");
                long start = System.nanoTime();

                ref.cancel("enough", Duration.ofMillis(30));

                assertThatThrownBy(() -> ref.result().get(60, SECONDS))
                        .rootCause()
                        .isInstanceOf(ProcessTerminatedException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
                assertEnded(deaf, ProcessExit.Kind.TERMINATED);
            }
        }

        private void pass(SteppedScheduler stepped, Duration by) {
            stepped.runAll();
            time.advance(by);
            stepped.fireTimers();
            stepped.runAll();
        }
    }

    @Nested
    class GivenATermination {
        @AtWorkers
        void e2_whenTheProcessIsReady_thenItIsClosedAndNeverStepped(int workers) {
            SteppedScheduler stepped = stepped(workers);
            var ready = ProbeProcess.deaf();
            ProcessRef ref = stepped.scheduler().submit(ready, "main");

            assertThat(ref.terminate()).isEqualTo(Delivery.DELIVERED);
            stepped.runAll();

            assertThat(ready.steps).hasValue(0);
            assertEnded(ready, ProcessExit.Kind.TERMINATED);
            assertThat(ref.terminate()).isEqualTo(Delivery.NO_SUCH_PROCESS);
        }

        @AtWorkers
        void e2_whenTheProcessIsIdle_thenItIsClosedAndNotSteppedAgain(int workers) {
            SteppedScheduler stepped = stepped(workers);
            var idle = ProbeProcess.deaf();
            ProcessRef ref = stepped.scheduler().submit(idle, "main");
            stepped.runAll();

            ref.send("unread", 1);
            ref.cancel("unread as well");
            ref.terminate();
            ref.send("unread", 2);
            stepped.runAll();

            assertThat(idle.steps).as("only its first step").hasValue(1);
            assertEnded(idle, ProcessExit.Kind.TERMINATED);
            assertThat(listener.deadLetters)
                    .extracting(letter -> letter.envelope().payload())
                    .containsExactly(1, 2);
            assertThat(listener.deadLetters).extracting(DeadLetter::reason).containsOnly(DeadLetter.Reason.UNREAD);
        }

        @AtWorkers
        void e2_whenTheProcessIsBlocked_thenItIsClosedAndItsHandlersAreTold(int workers) {
            SteppedScheduler stepped = stepped(workers);
            var blocked = new ProbeProcess((context, events, out) -> out.yield(new Wait("lookup"), 1));
            ProcessRef ref = stepped.scheduler().submit(blocked, "main");
            stepped.runAll();
            assertThat(ref.inspect().orElseThrow().state()).isEqualTo(ProcessInfo.State.BLOCKED);

            ref.terminate();
            stepped.runAll();

            assertThat(blocked.steps).hasValue(1);
            assertThat(stopped).containsExactly("lookup");
            assertEnded(blocked, ProcessExit.Kind.TERMINATED);
        }

        @AtWorkers
        void e2_whenTheProcessIsRunning_thenItEndsAfterThatStep(int workers) throws Exception {
            try (Scheduler scheduler = scheduler(workers).start()) {
                var running = new CountDownLatch(1);
                var mayGoOn = new CountDownLatch(1);
                var process = new ProbeProcess((context, events, out) -> {
                    running.countDown();
                    mayGoOn.await();
                    out.again();
                });
                ProcessRef ref = scheduler.submit(process, "main");
                running.await();

                ref.terminate();

                assertThat(ref.result()).as("a step is not cut short").isNotDone();
                mayGoOn.countDown();
                assertThatThrownBy(() -> ref.result().get(60, SECONDS))
                        .rootCause()
                        .isInstanceOf(ProcessTerminatedException.class);
                assertThat(process.steps).hasValue(1);
                assertEnded(process, ProcessExit.Kind.TERMINATED);
            }
        }

        @AtWorkers
        void e2_whenAProcessTerminatesItself_thenThisStepIsItsLast(int workers) {
            SteppedScheduler stepped = stepped(workers);
            var process = new ProbeProcess((context, events, out) -> {
                stepped.scheduler().terminate(context.self());
                out.again();
            });
            stepped.scheduler().submit(process, "main");

            stepped.runAll();

            assertThat(process.steps).hasValue(1);
            assertEnded(process, ProcessExit.Kind.TERMINATED);
        }

        @AtWorkers
        void e2_whenThatStepSaysDone_thenTheProcessWasDone(int workers) {
            SteppedScheduler stepped = stepped(workers);
            var process = new ProbeProcess((context, events, out) -> {
                stepped.scheduler().terminate(context.self());
                out.done("first");
            });
            ProcessRef ref = stepped.scheduler().submit(process, "main");

            stepped.runAll();

            assertThat(ref.result()).isCompletedWithValue("first");
            assertEnded(process, ProcessExit.Kind.DONE);
        }

        /** Two threads terminate what sends to itself, yields and ends by itself meanwhile: each ends once. */
        @AtWorkers
        void e2_whenItRacesWithTheirOwnEnd_thenEachIsClosedOnceAndHasOneExit(int workers) throws Exception {
            try (Scheduler scheduler = scheduler(workers).start()) {
                List<ProbeProcess> processes = new ArrayList<>();
                List<ProcessRef> refs = new ArrayList<>();
                for (int i = 0; i < 300; i++) {
                    int last = i % 7;
                    var process = new ProbeProcess((context, events, out) -> {
                        context.send(context.self(), "on", null);
                        if (context.random().nextInt(8) <= last) {
                            out.done();
                        } else if (last == 3) {
                            out.yield(new Wait("racing"), 1);
                        }
                    });
                    processes.add(process);
                    refs.add(scheduler.submit(process, "main"));
                }
                var killers = List.of(new Thread(() -> refs.forEach(ProcessRef::terminate)), new Thread(() -> {
                    for (int i = refs.size() - 1; i >= 0; i--) {
                        refs.get(i).cancel("hurry", Duration.ZERO);
                    }
                }));
                killers.forEach(Thread::start);
                for (ProcessRef ref : refs) {
                    ref.result().exceptionally(thrown -> null).get(60, SECONDS);
                }
                for (Thread killer : killers) {
                    killer.join();
                }

                assertThat(processes)
                        .allSatisfy(process -> assertThat(process.closes).hasValue(1));
                assertThat(listener.exits)
                        .hasSize(300)
                        .extracting(ProcessExit::pid)
                        .doesNotHaveDuplicates();
                assertThat(scheduler.stats().alive()).isZero();
            }
        }
    }
}

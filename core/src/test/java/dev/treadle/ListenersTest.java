// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What listeners hear, when, and what they can do about it. */
class ListenersTest {
    private final List<String> calls = new CopyOnWriteArrayList<>();

    /** Writes down what is called, in order. */
    private final class Noting implements SchedulerListener {
        private final String name;

        Noting(String name) {
            this.name = name;
        }

        @Override
        public void onStart(ProcessInfo process) {
            calls.add(name + " start");
        }

        @Override
        public void onComplete(ProcessExit exit) {
            calls.add(name + " complete " + exit.kind());
        }

        @Override
        public void onDeadLetter(DeadLetter letter) {
            calls.add(name + " dead letter " + letter.envelope().topic());
        }
    }

    /** Notes its own calls among those of the listeners. */
    private final class NotingProcess implements Process {
        private final ProbeProcess.Body body;
        private ProcessContext context;

        NotingProcess(ProbeProcess.Body body) {
            this.body = body;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            calls.add("init");
        }

        @Override
        public void step(Events events, StepOutput out) throws Exception {
            calls.add("step");
            body.step(context, events, out);
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    private static SchedulerListener onStart(Consumer<ProcessInfo> action) {
        return new SchedulerListener() {
            @Override
            public void onStart(ProcessInfo process) {
                action.accept(process);
            }
        };
    }

    private static SchedulerListener onComplete(Consumer<ProcessExit> action) {
        return new SchedulerListener() {
            @Override
            public void onComplete(ProcessExit exit) {
                action.accept(exit);
            }
        };
    }

    @Nested
    class GivenALife {
        @AtWorkers
        void whenItGoesFromStartToEnd_thenTheCallsComeInOrder(int workers) {
            SteppedScheduler stepped = Scheduler.builder()
                    .workers(workers)
                    .listener(new Noting("l"))
                    .stepped();
            ProcessRef ref =
                    stepped.scheduler().submit(new NotingProcess((context, events, out) -> out.done()), "main");
            CompletableFuture<Void> heard = ref.result().thenRun(() -> calls.add("result"));
            assertThat(calls).containsExactly("init", "l start");

            stepped.runAll();

            assertThat(heard).isCompleted();
            assertThat(calls).containsExactly("init", "l start", "step", "close", "l complete DONE", "result");
        }

        @AtWorkers
        void whenItEndsWithMessagesUnread_thenTheyAreToldBeforeItsEnd(int workers) {
            SteppedScheduler stepped = Scheduler.builder()
                    .workers(workers)
                    .listener(new Noting("l"))
                    .stepped();
            ProcessRef ref = stepped.scheduler().submit(new NotingProcess((context, events, out) -> {}), "main");
            ref.send("one", null);
            ref.send("two", null);
            ref.terminate();

            stepped.runAll();

            assertThat(calls)
                    .containsExactly(
                            "init",
                            "l start",
                            "close",
                            "l dead letter one",
                            "l dead letter two",
                            "l complete TERMINATED");
        }

        @AtWorkers
        void whenThereAreSeveralListeners_thenEachHearsInTheOrderTheyWereAdded(int workers) {
            SteppedScheduler stepped = Scheduler.builder()
                    .workers(workers)
                    .listener(new Noting("a"))
                    .listener(new Noting("b"))
                    .stepped();
            stepped.scheduler().submit(Process.of((events, out) -> out.done()), "main");
            stepped.runAll();

            assertThat(calls).containsExactly("a start", "b start", "a complete DONE", "b complete DONE");
        }

        @AtWorkers
        void whenItStarts_thenTheListenerHearsWhatItIsOnTheThreadThatSubmits(int workers) {
            List<ProcessInfo> infos = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            try (Scheduler scheduler = Scheduler.builder()
                    .workers(workers)
                    .listener(onStart(info -> {
                        infos.add(info);
                        threads.add(Thread.currentThread());
                    }))
                    .start()) {
                ProcessRef ref = scheduler.submit(ProbeProcess.deaf(), "serve");

                assertThat(infos).singleElement().satisfies(info -> {
                    assertThat(info.pid()).isEqualTo(ref.pid());
                    assertThat(info.state()).isEqualTo(ProcessInfo.State.READY);
                    assertThat(info.type()).isEqualTo(ProbeProcess.class.getTypeName());
                    assertThat(info.method()).isEqualTo("serve");
                    assertThat(info.steps()).isZero();
                    assertThat(info.worker()).isEqualTo(-1);
                });
                assertThat(threads).containsExactly(Thread.currentThread());
            }
        }

        @AtWorkers
        void whenItEnds_thenTheListenerHearsHow(int workers) {
            var listener = new RecordingListener();
            SteppedScheduler stepped =
                    Scheduler.builder().workers(workers).listener(listener).stepped();
            var failure = new IllegalStateException("on purpose");
            Pid done = stepped.scheduler()
                    .submit(Process.of((events, out) -> out.done(42)), "main")
                    .pid();
            Pid failed = stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                throw failure;
                            }),
                            "main")
                    .pid();
            ProcessRef terminated = stepped.scheduler().submit(ProbeProcess.deaf(), "main");
            terminated.terminate();

            stepped.runAll();

            assertThat(listener.exits)
                    .hasSize(3)
                    .contains(new ProcessExit(done, ProcessExit.Kind.DONE, 42, null))
                    .contains(new ProcessExit(failed, ProcessExit.Kind.FAILED, null, failure))
                    .anySatisfy(exit -> {
                        assertThat(exit.pid()).isEqualTo(terminated.pid());
                        assertThat(exit.kind()).isEqualTo(ProcessExit.Kind.TERMINATED);
                        assertThat(exit.reason()).isInstanceOf(ProcessTerminatedException.class);
                    });
        }
    }

    @Nested
    class GivenAListenerThatRefuses {
        @AtWorkers
        void whenAProcessIsSubmitted_thenItIsClosedAndNeverWas(int workers) {
            var refusal = new SecurityException("not for this tenant");
            var exits = new RecordingListener();
            SteppedScheduler stepped = Scheduler.builder()
                    .workers(workers)
                    .maxProcesses(1)
                    .listener(onStart(info -> {
                        if (info.method().equals("secret")) {
                            throw refusal;
                        }
                    }))
                    .listener(exits)
                    .stepped();
            var refused = ProbeProcess.deaf();

            assertThatThrownBy(() -> stepped.scheduler().submit(refused, "secret"))
                    .isInstanceOfSatisfying(
                            SubmissionRefusedException.class,
                            e -> assertThat(e.reason()).isEqualTo(SubmissionRefusedException.Reason.LISTENER))
                    .hasCause(refusal);

            stepped.runAll();
            assertThat(refused.inits).hasValue(1);
            assertThat(refused.closes).hasValue(1);
            assertThat(refused.steps).hasValue(0);
            assertThat(exits.starts).as("listeners after the one that refused").isEmpty();
            assertThat(exits.exits).isEmpty();
            assertThat(stepped.scheduler().processes()).isEmpty();
            assertThat(stepped.scheduler().stats().submitted()).isZero();
            assertThat(stepped.scheduler().stats().completed()).isZero();
            stepped.scheduler().submit(ProbeProcess.deaf(), "open"); // its place is free again
            assertThat(exits.starts).hasSize(1);
        }

        @AtWorkers
        void whenAProcessSpawnsIt_thenTheSpawnThrowsAndTheParentGoesOn(int workers) {
            SteppedScheduler stepped = Scheduler.builder()
                    .workers(workers)
                    .listener(onStart(info -> {
                        if (info.parent() != null) {
                            throw new AssertionError("no children");
                        }
                    }))
                    .stepped();
            var child = ProbeProcess.deaf();
            ProcessRef parent = stepped.scheduler()
                    .submit(
                            new ProbeProcess((context, events, out) -> {
                                try {
                                    context.spawn(child, "main");
                                } catch (SubmissionRefusedException e) {
                                    out.done(e.reason());
                                }
                            }),
                            "main");

            stepped.runAll();

            assertThat(parent.result()).isCompletedWithValue(SubmissionRefusedException.Reason.LISTENER);
            assertThat(child.closes).hasValue(1);
        }
    }

    @Nested
    class GivenAListenerThatThrows {
        @AtWorkers
        void whenItHearsOfAnEnd_thenTheOthersHearItTooAndTheResultArrives(int workers) {
            SteppedScheduler stepped = Scheduler.builder()
                    .workers(workers)
                    .listener(onComplete(exit -> {
                        throw new AssertionError("on purpose");
                    }))
                    .listener(new Noting("after"))
                    .stepped();
            ProcessRef ref = stepped.scheduler().submit(Process.of((events, out) -> out.done("fine")), "main");

            stepped.runAll();

            assertThat(calls).containsExactly("after start", "after complete DONE");
            assertThat(ref.result()).isCompletedWithValue("fine");
            assertThat(stepped.scheduler().stats().listenerFailures()).isEqualTo(1);
        }

        @AtWorkers
        void whenItHearsOfADeadLetter_thenTheSenderIsNotHarmed(int workers) {
            SteppedScheduler stepped = Scheduler.builder()
                    .workers(workers)
                    .listener(new SchedulerListener() {
                        @Override
                        public void onDeadLetter(DeadLetter letter) {
                            throw new IllegalStateException("on purpose");
                        }
                    })
                    .stepped();

            assertThat(stepped.scheduler()
                            .send(Pid.of("main", 4_711), "to nobody", null)
                            .isDelivered())
                    .isFalse();
            assertThat(stepped.scheduler().stats().listenerFailures()).isEqualTo(1);
        }

        /** What is thrown may itself fail when it is printed. */
        @Test
        void whenItsExceptionCannotBePrinted_thenTheWorkerLivesOn() throws Exception {
            var unprintable = new RuntimeException() {
                private static final long serialVersionUID = 1L;

                @Override
                public String getMessage() {
                    throw new IllegalStateException("cannot be printed");
                }
            };
            try (Scheduler scheduler = Scheduler.builder()
                    .workers(1)
                    .listener(onComplete(exit -> {
                        throw unprintable;
                    }))
                    .start()) {
                for (int i = 0; i < 3; i++) {
                    assertThat(scheduler
                                    .submit(Process.of((events, out) -> out.done("fine")), "main")
                                    .result()
                                    .get(60, SECONDS))
                            .isEqualTo("fine");
                }
                assertThat(scheduler.stats().listenerFailures()).isEqualTo(3);
            }
        }
    }

    /** Listeners are called under no lock. */
    @Nested
    class GivenAListenerThatActs {
        @AtWorkers
        void whenAProcessFails_thenItCanStartAnotherAndSendToIt(int workers) throws Exception {
            List<ProcessRef> successors = new CopyOnWriteArrayList<>();
            List<Scheduler> schedulers = new ArrayList<>();
            SchedulerListener supervisor = onComplete(exit -> {
                if (exit.kind() == ProcessExit.Kind.FAILED) {
                    ProcessRef next = schedulers.get(0).submit(ProbeProcess.obedient(), "main");
                    next.cancel("at once");
                    successors.add(next);
                }
            });
            try (Scheduler scheduler =
                    Scheduler.builder().workers(workers).listener(supervisor).start()) {
                schedulers.add(scheduler);
                scheduler.submit(
                        Process.of((events, out) -> {
                            throw new IllegalStateException("on purpose");
                        }),
                        "main");

                Soon.until(() -> !successors.isEmpty());
                assertThat(successors.get(0).result())
                        .succeedsWithin(Duration.ofSeconds(60))
                        .isEqualTo("cancelled");
            }
        }
    }
}

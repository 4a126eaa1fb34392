// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.ProcessInfo.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** V2: what inspect() and processes() say of a process, in each of its states, and that it is of one moment. */
class InspectTest {
    private final ManualTime time = new ManualTime();
    private final List<ResultReceiver> receivers = new ArrayList<>();

    /** Answered by the test, if at all. */
    private record Wait() implements Command {}

    private SchedulerBuilder scheduler(int workers) {
        var registry = new CommandRegistry().register(Wait.class, (wait, receiver) -> receivers.add(receiver));
        return Scheduler.builder().workers(workers).handlers(registry).time(time);
    }

    private SteppedScheduler stepped(int workers) {
        return scheduler(workers).stepped();
    }

    private static ProcessInfo inspect(ProcessRef ref) {
        return ref.inspect().orElseThrow();
    }

    @Nested
    class GivenEachState {
        @AtWorkers
        void v2_whenReady_thenNoWorkerHasRunItYet(int workers) {
            SteppedScheduler stepped = stepped(workers);
            ProcessRef ref = stepped.scheduler().submit(ProbeProcess.deaf(), "serve");
            time.advance(Duration.ofSeconds(3));

            assertThat(inspect(ref))
                    .isEqualTo(new ProcessInfo(
                            ref.pid(),
                            State.READY,
                            ProbeProcess.class.getTypeName(),
                            "serve",
                            null,
                            0,
                            0,
                            0,
                            Duration.ofSeconds(3),
                            -1,
                            java.util.Map.of()));
        }

        @AtWorkers
        void v2_whenIdle_thenTheWorkerThatRanItLastIsKnown(int workers) {
            SteppedScheduler stepped = stepped(workers);
            ProcessRef ref = stepped.scheduler().submit(ProbeProcess.deaf(), "serve");
            int last = workers - 1;
            stepped.runOne(last);

            assertThat(inspect(ref).state()).isEqualTo(State.IDLE);
            assertThat(inspect(ref).worker()).isEqualTo(last);
            assertThat(inspect(ref).steps()).isEqualTo(1);

            ref.send("again", null);
            assertThat(inspect(ref).state()).isEqualTo(State.READY);
            assertThat(inspect(ref).worker()).as("the one that ran it last").isEqualTo(last);
            assertThat(inspect(ref).queueLength()).isEqualTo(1);
            stepped.runOne(0);
            assertThat(inspect(ref).worker()).isZero();
            assertThat(inspect(ref).steps()).isEqualTo(2);
            assertThat(inspect(ref).queueLength()).isZero();
        }

        @AtWorkers
        void v2_whenBlocked_thenWaitingMessagesAndYieldsInFlightAreCounted(int workers) {
            SteppedScheduler stepped = stepped(workers);
            ProcessRef ref = stepped.scheduler()
                    .submit(
                            new ProbeProcess((context, events, out) -> {
                                if (events.isEmpty()) {
                                    out.yield(new Wait(), 1);
                                    out.yield(new Wait(), 2);
                                }
                                out.await();
                            }),
                            "main");
            stepped.runAll();
            ref.send("one", null);
            ref.send("two", null);
            ref.send("three", null);

            assertThat(inspect(ref).state()).isEqualTo(State.BLOCKED);
            assertThat(inspect(ref).queueLength()).isEqualTo(3);
            assertThat(inspect(ref).yieldsInFlight()).isEqualTo(2);

            receivers.get(0).complete(null);
            assertThat(inspect(ref).state()).isEqualTo(State.READY);
            assertThat(inspect(ref).queueLength())
                    .as("a completion is no message")
                    .isEqualTo(3);
            stepped.runAll();
            assertThat(inspect(ref).state()).isEqualTo(State.BLOCKED);
            assertThat(inspect(ref).yieldsInFlight()).isEqualTo(1);
            assertThat(inspect(ref).queueLength())
                    .as("handed out with the completion")
                    .isZero();
        }

        @AtWorkers
        void v2_whenRunning_thenAnotherThreadSeesItInTheHandsOfAWorker(int workers) throws Exception {
            var running = new CountDownLatch(1);
            var mayGoOn = new CountDownLatch(1);
            try (Scheduler scheduler = scheduler(workers).start()) {
                ProcessRef ref = scheduler.submit(
                        new ProbeProcess((context, events, out) -> {
                            if (!events.isEmpty()) {
                                running.countDown();
                                mayGoOn.await();
                            }
                        }),
                        "main");
                Soon.reaches(ref, State.IDLE);
                ref.send("run", null);
                running.await();
                ref.send("more", null);
                try {
                    ProcessInfo info = inspect(ref);

                    assertThat(info.state()).isEqualTo(State.RUNNING);
                    assertThat(info.steps()).as("with the one that runs").isEqualTo(2);
                    assertThat(info.queueLength())
                            .as("the one that the step has is not waiting")
                            .isEqualTo(1);
                    assertThat(info.worker()).isBetween(0, workers - 1);
                    assertThat(scheduler.group.workers()[info.worker()].runningAcquire())
                            .isSameAs(ref.pid().cell());
                } finally {
                    mayGoOn.countDown();
                }
                Soon.reaches(ref, State.IDLE);
            }
        }

        @AtWorkers
        void v2_whenComplete_thenThereIsNothingToSee(int workers) {
            SteppedScheduler stepped = stepped(workers);
            List<Optional<ProcessInfo>> inClose = new ArrayList<>();
            var ref = new AtomicReference<ProcessRef>();
            ref.set(stepped.scheduler()
                    .submit(
                            new ProbeProcess(
                                    (context, events, out) -> out.done(),
                                    () -> inClose.add(ref.get().inspect())),
                            "main"));

            stepped.runAll();

            assertThat(ref.get().inspect()).isEmpty();
            assertThat(inClose).containsExactly(Optional.empty());
            assertThat(stepped.scheduler().processes()).isEmpty();
            assertThat(stepped.scheduler().inspect(Pid.parse(ref.get().pid().toString())))
                    .isEmpty();
        }
    }

    @Nested
    class GivenWhatAProcessIs {
        @AtWorkers
        void v2_whenItWasSpawned_thenItsParentAndItsAgeAreShown(int workers) {
            SteppedScheduler stepped = stepped(workers);
            List<ProcessRef> children = new ArrayList<>();
            time.advance(Duration.ofMinutes(1));
            ProcessRef parent = stepped.scheduler()
                    .submit(
                            new ProbeProcess((context, events, out) -> {
                                if (!events.isEmpty()) {
                                    children.add(context.spawn(ProbeProcess.deaf(), "assist"));
                                }
                            }),
                            "lead");
            stepped.runAll();
            time.advance(Duration.ofSeconds(10));
            parent.send("grow", null);
            stepped.runAll();
            time.advance(Duration.ofSeconds(5));

            ProcessInfo child = inspect(children.get(0));

            assertThat(child.parent()).isEqualTo(parent.pid());
            assertThat(child.method()).isEqualTo("assist");
            assertThat(child.age()).isEqualTo(Duration.ofSeconds(5));
            assertThat(inspect(parent).parent()).isNull();
            assertThat(inspect(parent).method()).isEqualTo("lead");
            assertThat(inspect(parent).age()).isEqualTo(Duration.ofSeconds(15));
        }

        @AtWorkers
        void v2_whenItWasUpgraded_thenTheNewTypeAndMethodAreShownAndTheRestGoesOn(int workers) {
            SteppedScheduler stepped = stepped(workers);
            ProcessRef ref = stepped.scheduler()
                    .submit(
                            new ProbeProcess((context, events, out) -> {
                                if (events.isEmpty()) {
                                    out.yield(new Wait(), 1);
                                    out.idle();
                                } else {
                                    out.upgrade(Process.of((e, o) -> {}), "second");
                                }
                            }),
                            "first");
            stepped.runAll();
            time.advance(Duration.ofSeconds(1));
            assertThat(inspect(ref).yieldsInFlight()).isEqualTo(1);

            ref.send("upgrade", null);
            stepped.runAll();

            ProcessInfo info = inspect(ref);
            assertThat(info.type()).isEqualTo(StepProcess.class.getTypeName());
            assertThat(info.method()).isEqualTo("second");
            assertThat(info.pid()).isEqualTo(ref.pid());
            assertThat(info.steps()).isEqualTo(3);
            assertThat(info.age()).isEqualTo(Duration.ofSeconds(1));
            assertThat(info.yieldsInFlight()).as("the old one's were given up").isZero();
        }

        @AtWorkers
        void v2_whenAllAreListed_thenEachLivingOneIsThereOnce(int workers) {
            SteppedScheduler stepped = stepped(workers);
            List<Pid> pids = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                pids.add(stepped.scheduler()
                        .submit(ProbeProcess.obedient(), "main")
                        .pid());
            }
            for (int i = 499; i >= 400; i--) {
                stepped.scheduler().cancel(pids.remove(i), "one in five");
            }
            stepped.runAll();

            assertThat(stepped.scheduler().processes())
                    .extracting(ProcessInfo::pid)
                    .containsExactlyInAnyOrderElementsOf(pids);
            assertThat(stepped.scheduler().processes())
                    .allSatisfy(info -> assertThat(stepped.scheduler()
                                    .inspect(Pid.parse(info.pid().toString())))
                            .contains(info));
        }

        @Test
        void v2_whenThereIsNoSuchProcess_thenInspectReturnsNothing() {
            SteppedScheduler stepped = stepped(1);
            Pid pid = stepped.scheduler().submit(ProbeProcess.deaf(), "main").pid();

            assertThat(stepped.scheduler().inspect(Pid.of("main", pid.id()))).isPresent();
            assertThat(stepped.scheduler().inspect(Pid.of("main", pid.id() + 1)))
                    .isEmpty();
            assertThat(stepped.scheduler().inspect(Pid.of("elsewhere", pid.id())))
                    .isEmpty();
            assertThat(stepped.scheduler().inspect(Pid.of("node", "main", pid.id())))
                    .isEmpty();
            assertThatThrownBy(() -> stepped.scheduler().inspect(null)).hasMessageContaining("pid is null");
        }

        @Test
        void v2_whenInitStillRuns_thenNobodySeesIt() {
            SteppedScheduler stepped = stepped(1);
            List<Object> seen = new ArrayList<>();
            stepped.scheduler()
                    .submit(
                            new Process() {
                                @Override
                                public void init(ProcessContext context, String method, Payloads input) {
                                    stepped.scheduler().inspect(context.self()).ifPresent(seen::add);
                                    stepped.scheduler().processes().forEach(seen::add);
                                }

                                @Override
                                public void step(Events events, StepOutput out) {}
                            },
                            "main");

            assertThat(seen).isEmpty();
        }
    }

    /** The clock is read in the midst of an inspection: what it does then is what another thread might do. */
    @Nested
    class GivenAChangeInTheMidstOfAnInspection {
        private final Interrupting clock = new Interrupting();

        @Test
        void v2_whenTheProcessEnds_thenItIsSeenWholeOrNotAtAll() {
            SteppedScheduler stepped = scheduler(1).time(clock).stepped();
            List<ProcessRef> children = new ArrayList<>();
            ProcessRef parent = stepped.scheduler()
                    .submit(
                            new ProbeProcess((context, events, out) ->
                                    children.add(context.spawn(ProbeProcess.obedient(), "child"))),
                            "main");
            stepped.runAll();
            ProcessRef child = children.get(0);

            clock.next = () -> {
                child.cancel("in the midst");
                stepped.runAll();
            };
            Optional<ProcessInfo> info = child.inspect();

            assertThat(child.inspect()).as("it has ended").isEmpty();
            info.ifPresent(seen -> {
                assertThat(seen.parent()).isEqualTo(parent.pid());
                assertThat(seen.type()).isEqualTo(ProbeProcess.class.getTypeName());
            });
        }

        @Test
        void v2_whenTheProcessIsUpgraded_thenTypeAndMethodBelongTogether() {
            SteppedScheduler stepped = scheduler(1).time(clock).stepped();
            ProcessRef ref = stepped.scheduler()
                    .submit(
                            new ProbeProcess((context, events, out) -> {
                                if (!events.isEmpty()) {
                                    out.upgrade(Process.of((e, o) -> {}), "second");
                                }
                            }),
                            "first");
            stepped.runAll();

            clock.next = () -> {
                ref.send("upgrade", null);
                stepped.runAll();
            };
            ProcessInfo info = inspect(ref);

            assertThat(info.type() + " " + info.method())
                    .isIn(ProbeProcess.class.getTypeName() + " first", StepProcess.class.getTypeName() + " second");
        }
    }

    /** A clock that does something once, when it is next read. */
    private static final class Interrupting implements TimeSource {
        private Runnable next;

        @Override
        public long nanos() {
            Runnable action = next;
            next = null;
            if (action != null) {
                action.run();
            }
            return 0;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH;
        }
    }
}

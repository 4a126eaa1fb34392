// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Director.HandlerKind;
import dev.treadle.command.Call;
import dev.treadle.command.Sleep;
import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The seam that a simulation drives a scheduler by. */
class DirectorTest {
    private final Clock clock = new Clock();
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void blockAgain() {
        Director.ofThisThread(null);
    }

    @Test
    void whicheverReadyProcessIsChosenRuns_whereverItWaited() {
        try (SteppedScheduler stepped = Scheduler.builder().workers(3).stepped()) {
            for (String name : List.of("a", "b", "c")) {
                stepped.scheduler().submit(Process.of((events, out) -> seen.add(name)), "main");
            }

            assertThat(stepped.ready()).isEqualTo(3);
            assertThat(stepped.ready(0).id()).isEqualTo(1);
            stepped.run(2, 1);
            stepped.run(0, 1);
            assertThat(seen).containsExactly("b", "c");

            assertThat(stepped.runAll()).as("what was left goes back").isEqualTo(1);
            assertThat(seen).containsExactly("b", "c", "a");
        }
    }

    @Test
    void whatWasGatheredAndNotRunIsEndedByTheShutdown() {
        var ref = new ProcessRef[1];
        try (SteppedScheduler stepped = Scheduler.builder().stepped()) {
            ref[0] = stepped.scheduler().submit(Process.of((events, out) -> out.idle()), "main");
            assertThat(stepped.ready()).isEqualTo(1);
        }
        assertThat(ref[0].result()).isCompletedExceptionally();
    }

    @Test
    void timersOfOneInstantFireInTheOrderChosen() {
        try (SteppedScheduler stepped = Scheduler.builder().time(clock).stepped()) {
            for (String name : List.of("a", "b")) {
                stepped.scheduler()
                        .submit(
                                Process.of((events, out) -> {
                                    if (events.isEmpty()) {
                                        out.yield(new Sleep(Duration.ofSeconds(1)), 1);
                                    } else {
                                        seen.add(name);
                                    }
                                }),
                                "main");
            }
            stepped.runAll();
            assertThat(stepped.dueTimers()).isZero();
            clock.nanos = Duration.ofSeconds(1).toNanos();

            assertThat(stepped.dueTimers()).isEqualTo(2);
            stepped.fireTimer(1);
            stepped.runAll();
            assertThat(seen).containsExactly("b");
            assertThat(stepped.dueTimers()).isEqualTo(1);
            assertThat(stepped.fireTimers()).isEqualTo(1);
            stepped.runAll();
            assertThat(seen).containsExactly("b", "a");
        }
    }

    @Test
    void aTurnGetsNoMoreEventsThanTheDirectorAllows() {
        var director = new Director() {
            @Override
            public int eventBudget(Pid process, int budget) {
                return 2;
            }

            @Override
            public void beforeStep(Pid process, List<Event> events) {
                seen.add("gets " + events.size());
            }

            @Override
            public void afterStep(Pid process, String said, Throwable thrown) {
                seen.add(said);
            }
        };
        try (SteppedScheduler stepped = Scheduler.builder().director(director).stepped()) {
            ProcessRef ref = stepped.scheduler().submit(Process.of((events, out) -> out.idle()), "main");
            for (int i = 0; i < 3; i++) {
                ref.send("x", i);
            }
            stepped.runAll();
            assertThat(seen).containsExactly("gets 2", "IDLE", "gets 1", "IDLE");
        }
    }

    @Test
    void whatTheDirectorThrowsIsThrownByTheStep() {
        var director = new Director() {
            @Override
            public void afterStep(Pid process, String said, Throwable thrown) {
                throw new IllegalStateException("crash");
            }
        };
        try (SteppedScheduler stepped = Scheduler.builder().director(director).stepped()) {
            ProcessRef ref = stepped.scheduler().submit(Process.of((events, out) -> out.done(1)), "main");
            stepped.runAll();
            assertThatThrownBy(() -> ref.result().get()).rootCause().hasMessage("crash");
        }
    }

    @Test
    void theDirectorStandsBetweenCommandsAndHandlers_andKnowsTheirKind() {
        var kinds = new LinkedHashMap<String, HandlerKind>();
        var director = new Director() {
            @Override
            public Set<Class<? extends Command>> standIns() {
                return Set.of(Unregistered.class);
            }

            @Override
            public void yielded(Pid process, Command command, long tag, long timeoutNanos) {
                seen.add(tag + (timeoutNanos == NO_TIMEOUT ? "" : " within " + timeoutNanos));
            }

            @Override
            public void handle(Command command, ResultReceiver receiver, HandlerKind kind, Handler<Command> own)
                    throws Exception {
                kinds.put(command.getClass().getSimpleName(), kind);
                if (kind == HandlerKind.QUICK) {
                    own.handle(command, receiver);
                } else {
                    receiver.complete("stand-in");
                }
            }
        };
        var registry = new CommandRegistry()
                .register(Quick.class, (command, receiver) -> receiver.complete("own"))
                .registerAsync(Async.class, command -> new CompletableFuture<>())
                .registerBlocking(Blocking.class, command -> "blocked");
        var answers = new ArrayList<Object>();
        try (SteppedScheduler stepped =
                Scheduler.builder().director(director).handlers(registry).stepped()) {
            stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                if (events.isEmpty()) {
                                    out.yield(new Quick(), 1, Duration.ofNanos(5));
                                    out.yield(new Async(), 2);
                                    out.yield(new Blocking(), 3);
                                    out.yield(new Call(() -> "called"), 4);
                                    out.yield(new Sleep(Duration.ZERO), 5);
                                    out.yield(new Unregistered(), 6);
                                }
                                for (Event event : events) {
                                    answers.add(((Completion) event).data());
                                }
                            }),
                            "main");
            stepped.runAll();
        }
        assertThat(kinds)
                .isEqualTo(Map.of(
                        "Quick", HandlerKind.QUICK,
                        "Async", HandlerKind.ASYNC,
                        "Blocking", HandlerKind.BLOCKING,
                        "Call", HandlerKind.BLOCKING,
                        "Sleep", HandlerKind.BUILT_IN,
                        "Unregistered", HandlerKind.NONE));
        assertThat(answers).containsExactly("own", "stand-in", "stand-in", "stand-in", "stand-in", "stand-in");
        assertThat(seen).startsWith("1 within 5", "2").hasSize(6);
    }

    @Test
    void aRefusedMessageIsDeadAsIfTheMailboxWereFull() {
        var director = new Director() {
            @Override
            public boolean refuses(Pid target, Message message) {
                return message.topic().equals("no");
            }

            @Override
            public void sent(Pid target, Message message) {
                seen.add(message.topic());
            }
        };
        try (SteppedScheduler stepped = Scheduler.builder().director(director).stepped()) {
            ProcessRef ref = stepped.scheduler().submit(Process.of((events, out) -> out.idle()), "main");
            assertThat(ref.send("no", null)).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(ref.send("yes", null)).isEqualTo(Delivery.DELIVERED);
            assertThat(seen).containsExactly("yes");
            assertThat(stepped.scheduler().stats().deadLetters()).isEqualTo(1);
        }
    }

    @Test
    void aThreadWithADirectorTakesTurnsInsteadOfBlocking() throws Exception {
        var stepped = new SteppedScheduler[1];
        var director = new Turns(stepped);
        stepped[0] = Scheduler.builder().time(clock).director(director).stepped();
        Director.ofThisThread(director);
        try (SteppedScheduler made = stepped[0]) {
            ProcessRef ref = made.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                if (events.isEmpty()) {
                                    out.yield(new Sleep(Duration.ofHours(1)), 1);
                                } else {
                                    out.done("slept");
                                }
                            }),
                            "main");
            assertThatThrownBy(() -> ref.result().get(1, TimeUnit.MINUTES)).isInstanceOf(TimeoutException.class);
            assertThat(ref.result().get()).isEqualTo("slept");

            ProcessRef forever = made.scheduler().submit(Process.of((events, out) -> out.idle()), "main");
            assertThatThrownBy(() -> forever.result().join()).hasMessageContaining("never comes");
        }
    }

    @Test
    void aShutdownLetsTimePassForProcessesThatNeedIt() {
        var stepped = new SteppedScheduler[1];
        stepped[0] =
                Scheduler.builder().time(clock).director(new Turns(stepped)).stepped();
        ProcessRef ref = stepped[0]
                .scheduler()
                .submit(
                        Process.of((events, out) -> {
                            for (Event event : events) {
                                if (event instanceof Signal) {
                                    out.yield(new Sleep(Duration.ofSeconds(5)), 1);
                                } else {
                                    out.done("ended in order");
                                }
                            }
                        }),
                        "main");
        ShutdownReport report = stepped[0].scheduler().shutdown(Duration.ofSeconds(10));
        assertThat(ref.result()).isCompletedWithValue("ended in order");
        assertThat(report.elapsed()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void threadsCannotBeDirected() {
        assertThatThrownBy(() -> Scheduler.builder().director(new Director() {}).start())
                .hasMessageContaining("use stepped()");
    }

    @Test
    void anAskFromOutsideTimesOutOnTheThreadThatTurnsTheClock() {
        try (SteppedScheduler stepped = Scheduler.builder().time(clock).stepped()) {
            ProcessRef ref = stepped.scheduler().submit(Process.of((events, out) -> out.idle()), "main");
            var on = new Thread[1];
            var unused = ref.ask("x", null, Duration.ofSeconds(1))
                    .whenComplete((reply, error) -> on[0] = Thread.currentThread());
            clock.nanos = Duration.ofSeconds(1).toNanos();
            stepped.fireTimers();
            assertThat(on[0]).isSameAs(Thread.currentThread());
        }
    }

    private record Quick() implements Command {}

    private record Async() implements Command {}

    private record Blocking() implements Command {}

    private record Unregistered() implements Command {}

    /** Runs what is ready, and else moves the clock to the next timer. */
    private final class Turns implements Director {
        private final SteppedScheduler[] stepped;

        Turns(SteppedScheduler[] stepped) {
            this.stepped = stepped;
        }

        @Override
        public boolean turn(long untilNanos) {
            if (stepped[0].runOne(0) || stepped[0].fireTimers() > 0) {
                return true;
            }
            long next = stepped[0].nextTimerNanos();
            if (next > untilNanos || next == Long.MAX_VALUE) {
                return false;
            }
            clock.nanos = Math.max(clock.nanos, next);
            return true;
        }

        @Override
        public long nanos() {
            return clock.nanos;
        }
    }

    private static final class Clock implements TimeSource {
        private long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(nanos);
        }
    }
}

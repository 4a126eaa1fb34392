// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.command.Ask;
import dev.treadle.node.NodeContext;
import dev.treadle.node.Spawn;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Three bugs that were put here on purpose are found within 1,000 seeds, and shrunk to less than 30 events. */
class PlantedBugsTest {
    private static final int SEEDS = 1_000;
    private static final int EVENTS_MAX = 30;

    @Test
    void aLostUpdateIsFound() {
        SimulationFailure failure = explore(simulation -> deposits(simulation, true));
        assertThat(failure).hasMessageContaining("eventually \"all deposits arrive\"");
        assertSmallAndReplayable(failure, simulation -> deposits(simulation, true));
    }

    @Test
    void withoutTheBugNoUpdateIsLost() {
        Simulation.explore(200, simulation -> deposits(simulation, false));
    }

    @Test
    void aSupervisorThatRestartsTwiceIsFound() {
        SimulationFailure failure = explore(simulation -> supervision(simulation, true));
        assertThat(failure).hasMessageContaining("always \"one child at the most\"");
        assertSmallAndReplayable(failure, simulation -> supervision(simulation, true));
    }

    @Test
    void withoutTheBugNoChildIsRestartedTwice() {
        Simulation.explore(200, simulation -> supervision(simulation, false));
    }

    @Test
    void aDeadlockOfTwoAsksIsFoundAndItsCycleShown() {
        SimulationFailure failure = explore(simulation -> asks(simulation, true));
        assertThat(failure.getMessage())
                .contains("deadlock")
                .containsPattern("\\{main\\|1} waits for a reply from \\{main\\|2}")
                .containsPattern("\\{main\\|2} waits for a reply from \\{main\\|1}");
        assertSmallAndReplayable(failure, simulation -> asks(simulation, true));
    }

    @Test
    void withoutTheBugNobodyWaitsForEver() {
        Simulation.explore(200, simulation -> asks(simulation, false));
    }

    private static SimulationFailure explore(Trial trial) {
        SimulationFailure failure =
                catchThrowableOfType(SimulationFailure.class, () -> Simulation.explore(SEEDS, trial));
        assertThat(failure).as("found within %d seeds", SEEDS).isNotNull();
        return failure;
    }

    private static void assertSmallAndReplayable(SimulationFailure failure, Trial trial) {
        assertThat(failure.trace().events()).hasSizeLessThan(EVENTS_MAX);
        SimulationFailure again =
                catchThrowableOfType(SimulationFailure.class, () -> trial.run(Simulation.replay(failure.replayLine())));
        assertThat(again.trace().text()).isEqualTo(failure.trace().text());
    }

    // The bank.

    private static void deposits(Simulation simulation, boolean hasBug) {
        var store = new Bank.Store();
        store.standInto(simulation).play(world -> {
            Pid account = world.node()
                    .spawn(Spawn.of(() -> new Bank.Account("ada", hasBug)))
                    .pid();
            int deposits = 2 + world.choose(8);
            for (int i = 0; i < deposits; i++) {
                Duration delay = Duration.ofMillis(world.choose(50));
                world.after(delay, () -> world.node().send(account, "deposit", 1));
            }
            world.eventually("all deposits arrive", Duration.ofMinutes(1), () -> store.balance("ada") == deposits);
        });
    }

    // The supervisor.

    private static void supervision(Simulation simulation, boolean hasBug) {
        Set<Pid> alive = new HashSet<>();
        simulation.faults(Faults.none().crash(0.05, Child.class)).play(world -> {
            world.node().spawn(Spawn.of(() -> new Keeper(alive, hasBug)));
            world.always("one child at the most", () -> alive.size() <= 1);
            for (int i = 0; i < 20; i++) {
                world.after(Duration.ofMillis(i), () -> world.node().names().send("keeper", "check", null));
            }
        });
    }

    /** Keeps one child alive. With the bug, it starts another one when a check fails and again when it hears of the end. */
    private static final class Keeper implements Process {
        private final Set<Pid> alive;
        private final boolean hasBug;
        private NodeContext context;
        private Pid child;
        private long checks;

        Keeper(Set<Pid> alive, boolean hasBug) {
            this.alive = alive;
            this.hasBug = hasBug;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = NodeContext.of(context);
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (child == null) {
                context.register("keeper");
                start();
            }
            for (Event event : events) {
                if (event instanceof Signal signal && signal.kind() == Signal.Kind.EXIT) {
                    if (hasBug || child.equals(signal.from())) {
                        start();
                    }
                } else if (event instanceof Completion completion && completion.error() != null && hasBug) {
                    start();
                } else if (event instanceof Message) {
                    out.yield(new Ask(child, "well?", null), ++checks, Duration.ofSeconds(1));
                } else if (event instanceof Signal signal && signal.isCancel()) {
                    out.done();
                    return;
                }
            }
            out.idle();
        }

        private void start() {
            child = context.spawnMonitored(Spawn.of(() -> new Child(alive))).pid();
        }
    }

    private static final class Child implements Process {
        private final Set<Pid> alive;
        private ProcessContext context;

        Child(Set<Pid> alive) {
            this.alive = alive;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            alive.add(context.self());
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.isRequest()) {
                    context.reply(message, "well");
                }
            }
            out.idle();
        }

        @Override
        public void close() {
            alive.remove(context.self());
        }
    }

    // The asks.

    private static void asks(Simulation simulation, boolean hasBug) {
        simulation.play(world -> {
            Pid a = world.node().spawn(Spawn.of(() -> new Friend(hasBug))).pid();
            Pid b = world.node().spawn(Spawn.of(() -> new Friend(hasBug))).pid();
            world.after(Duration.ofMillis(world.choose(10)), () -> world.node().send(a, "call", b));
            world.after(Duration.ofMillis(world.choose(10)), () -> world.node().send(b, "call", a));
        });
    }

    /** Asks its friend when it is told to. With the bug, it hears nothing else until it has its reply. */
    private static final class Friend implements Process {
        private final boolean hasBug;
        private final Map<Long, String> calls = new HashMap<>();
        private ProcessContext context;
        private long tags;

        Friend(boolean hasBug) {
            this.hasBug = hasBug;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.isRequest()) {
                    context.reply(message, "hello");
                } else if (event instanceof Message message) {
                    calls.put(++tags, "call");
                    out.yield(new Ask(message.payload(Pid.class), "hello?", null), tags);
                } else if (event instanceof Completion completion) {
                    calls.remove(completion.tag());
                }
            }
            if (hasBug && !calls.isEmpty()) {
                out.await();
            } else {
                out.idle();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Completion;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.StepOutput;
import dev.treadle.command.Ask;
import dev.treadle.command.Sleep;
import dev.treadle.node.Spawn;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What makes a run fail, and what does not. */
class ChecksTest {
    private int count;

    @Test
    void alwaysIsLookedAtAfterEachTurn() {
        assertThatThrownBy(() -> Simulation.seed(1).play(world -> {
                    world.always("below three", () -> count < 3);
                    spawnCounter(world, 5);
                }))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("seed 1: always \"below three\" does not hold after event");
        assertThat(count).as("it ends there").isEqualTo(3);
    }

    @Test
    void neverIsTheOpposite() {
        assertThatThrownBy(() -> Simulation.seed(1).play(world -> {
                    world.never("three", () -> count == 3);
                    spawnCounter(world, 5);
                }))
                .hasMessageContaining("never \"three\" holds after event");
    }

    @Test
    void eventuallyHoldsOnceItWasSeen() {
        Simulation.seed(1).play(world -> {
            world.eventually("three", Duration.ofSeconds(10), () -> count == 3);
            spawnCounter(world, 5);
        });
        assertThat(count).isEqualTo(5);
    }

    @Test
    void eventuallyFailsAtItsDeadline() {
        assertThatThrownBy(() -> Simulation.seed(1).play(world -> {
                    world.eventually("three", Duration.ofMillis(1500), () -> count == 3);
                    spawnCounter(world, 5);
                }))
                .hasMessageContaining("eventually \"three\" did not come to hold within PT1.5S");
        assertThat(count).isEqualTo(2);
    }

    @Test
    void eventuallyIsInTimeAtItsDeadlineIfItHoldsThen() {
        Simulation.seed(1).play(world -> {
            world.eventually("one", Duration.ofMillis(500), () -> count == 1);
            spawnCounter(world, 1);
        });
    }

    @Test
    void aScenarioThatThrowsFailsTheRun() {
        assertThatThrownBy(() -> Simulation.seed(1).play(world -> assertThat(1).isEqualTo(2)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("replay(\"1/")
                .hasCauseInstanceOf(AssertionError.class);
    }

    @Test
    void anAssertionThatAProcessThrowsFailsTheRun() {
        assertThatThrownBy(() -> Simulation.seed(1)
                        .run(node -> node.spawn(Spawn.of(() -> Process.of((events, out) -> {
                            throw new AssertionError("one is not two");
                        })))))
                .hasMessageContaining("process {main|1} threw AssertionError: one is not two");
        Simulation.seed(1)
                .run(node -> node.spawn(Spawn.of(() -> Process.of((events, out) -> {
                    throw new IllegalStateException("just a crash");
                }))));
    }

    @Test
    void muchAtOnceIsALivelock() {
        assertThatThrownBy(() -> Simulation.seed(1)
                        .stepsWithoutTime(1000)
                        .run(node -> node.spawn(Spawn.of(() -> Process.of((events, out) -> out.again())))))
                .hasMessageContaining("livelock: 1001 turns at PT0S and the clock did not move:")
                .hasMessageContaining("{main|1} had 1001 turns");
    }

    @Test
    void aReplyThatNeverComesIsNoDeadlockButWaitsForEver() {
        assertThatThrownBy(() -> Simulation.seed(1).run(node -> {
                    Pid silent = node.spawn(Spawn.of(() -> Process.of((events, out) -> out.idle())))
                            .pid();
                    node.spawn(Spawn.of(
                            () -> Process.of((events, out) -> out.yield(new Ask(silent, "well?", null), 1))));
                }))
                .hasMessageContaining("{main|2} waits for a reply from {main|1} to \"well?\" (tag 1)")
                .hasMessageNotContaining("deadlock");
    }

    @Test
    void aDeadlockIsFoundAtTheLimitTooWhileOthersGoOn() {
        assertThatThrownBy(() -> Simulation.seed(1).limit(Duration.ofMinutes(1)).run(node -> {
                    node.spawn(Spawn.of(
                            () -> Process.of((events, out) -> out.yield(new Sleep(Duration.ofSeconds(1)), 1))));
                    node.spawn(Spawn.of(() ->
                            Process.of((events, out) -> out.yield(new Ask(Pid.of("main", 3), "a", null), 1))));
                    node.spawn(Spawn.of(() ->
                            Process.of((events, out) -> out.yield(new Ask(Pid.of("main", 2), "b", null), 1))));
                }))
                .hasMessageContaining("deadlock");
    }

    @Test
    void asksWithATimeoutAreNoDeadlock() {
        Simulation.seed(1).run(node -> {
            for (long other : new long[] {2, 1}) {
                node.spawn(Spawn.of(() -> Process.of((events, out) -> {
                    if (events.isEmpty()) {
                        out.yield(new Ask(Pid.of("main", other), "x", null), 1, Duration.ofSeconds(1));
                    } else {
                        out.idle();
                    }
                })));
            }
        });
    }

    @Test
    void whatIsLeftIsNamedIfNothingIsExpected() {
        assertThatThrownBy(() -> Simulation.seed(1).play(world -> {
                    world.expectEmpty();
                    world.node()
                            .spawn(Spawn.of(() -> Process.of((events, out) -> out.idle()))
                                    .name("left"));
                }))
                .hasMessageContaining("StepProcess, IDLE")
                .hasMessageContaining("name \"left\"");
        Simulation.seed(1).play(world -> {
            world.expectEmpty();
            world.node()
                    .spawn(Spawn.of(() -> Process.of((events, out) -> out.done()))
                            .name("gone"));
        });
    }

    @Test
    void toWaitForAFutureRunsTheSimulation() {
        Outcome outcome = Simulation.seed(1).play(world -> {
            ProcessRef slow = world.node().spawn(Spawn.of(Echo::new)).ref();
            assertThat(slow.ask("x", "hello", Duration.ofHours(1)).get()).isEqualTo("hello");
            assertThatThrownBy(() -> slow.result().get(1, TimeUnit.HOURS)).isInstanceOf(TimeoutException.class);
        });
        assertThat(outcome.elapsed()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aFailureInsideOfAWaitIsTheRunsFailure() {
        assertThatThrownBy(() -> Simulation.seed(1).play(world -> {
                    world.always("below one", () -> count < 1);
                    spawnCounter(world, 2).result().get();
                }))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("below one");
    }

    @Test
    void aSimulationIsRunOnce() {
        Simulation simulation = Simulation.seed(1);
        simulation.run(node -> {});
        assertThatThrownBy(() -> simulation.run(node -> {})).hasMessageContaining("make another");
    }

    /** Counts once a second. */
    private ProcessRef spawnCounter(World world, int most) {
        return world.node()
                .spawn(Spawn.of(() -> Process.of((events, out) -> {
                    if (++count == most) {
                        out.done();
                    } else {
                        out.yield(new Sleep(Duration.ofSeconds(1)), count);
                    }
                })))
                .ref();
    }

    private static final class Echo implements Process {
        private ProcessContext context;
        private Message request;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (var event : events) {
                if (event instanceof Message message) {
                    request = message;
                    out.yield(new Sleep(Duration.ofSeconds(5)), 1);
                } else if (event instanceof Completion) {
                    context.reply(request, request.payload());
                    out.idle();
                }
            }
        }
    }
}

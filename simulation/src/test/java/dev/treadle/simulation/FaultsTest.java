// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Command;
import dev.treadle.CommandTimeoutException;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessRef;
import dev.treadle.command.Sleep;
import dev.treadle.node.ServiceSpec;
import dev.treadle.node.Spawn;
import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What goes wrong on purpose. With a rate of one, it goes wrong for certain. */
class FaultsTest {
    private final List<Object> seen = new ArrayList<>();

    @Test
    void aCrashIsThrownByTheStep_beforeItRanOrBeforeItsCommandsAreDispatched() {
        int ran = 0;
        int dispatched = 0;
        for (int seed = 0; seed < 40; seed++) {
            seen.clear();
            Simulation.seed(seed)
                    .faults(Faults.none().crash(1))
                    .simulate(Write.class, (write, world) -> seen.add("dispatched"))
                    .play(world -> {
                        ProcessRef ref = world.node()
                                .spawn(Spawn.of(() -> Process.of((events, out) -> {
                                    seen.add("ran");
                                    out.yield(new Write(), 1);
                                })))
                                .ref();
                        assertThatThrownBy(() -> ref.result().get()).rootCause().isInstanceOf(SimulatedCrash.class);
                    });
            ran += seen.contains("ran") ? 1 : 0;
            dispatched += seen.contains("dispatched") ? 1 : 0;
        }
        assertThat(ran).as("some crash after their step").isBetween(5, 35);
        assertThat(dispatched).isZero();
    }

    @Test
    void onlyTheTypesThatAreNamedCrash() {
        Outcome outcome = Simulation.seed(2)
                .faults(Faults.none().crash(1, Bank.Account.class))
                .run(node -> {
                    node.spawn(Spawn.of(() -> new Bank.Account("ada", false)));
                    node.spawn(Spawn.of(() -> Process.of((events, out) -> out.done())));
                });
        assertThat(outcome.trace().text()).contains("{main|1} FAILED").contains("{main|2} DONE");
    }

    @Test
    void thereAreNoMoreFaultsThanAllowed() {
        Outcome outcome = Simulation.seed(2)
                .faults(Faults.none().crash(1).atMost(3))
                .run(node -> {
                    for (int i = 0; i < 10; i++) {
                        node.spawn(Spawn.of(() -> Process.of((events, out) -> out.done())));
                    }
                });
        assertThat(outcome.trace().events().stream().filter(e -> e.kind() == TraceEvent.Kind.FAULT))
                .hasSize(3);
    }

    @Test
    void commandsFail() {
        yieldOnce(Faults.none().failCommands(1), Duration.ofSeconds(1));
        assertThat(seen).singleElement().isInstanceOf(SimulatedFault.class);
    }

    @Test
    void commandsWithATimeoutAreLost() {
        yieldOnce(Faults.none().timeOutCommands(1), Duration.ofSeconds(1));
        assertThat(seen).singleElement().isInstanceOf(CommandTimeoutException.class);
    }

    @Test
    void aSecondAnswerDoesNotReachTheProcess() {
        Outcome outcome = yieldOnce(Faults.none().duplicateAnswers(1), Duration.ofSeconds(1));
        assertThat(seen).containsExactly("written");
        assertThat(outcome.trace().text()).contains("comes twice");
    }

    @Test
    void answersComeLate() {
        boolean late = false;
        for (int seed = 0; seed < 20 && !late; seed += 2) {
            late = yieldOnce(seed, Faults.none().delayAnswers(1, Duration.ofMillis(900)), Duration.ofSeconds(1))
                            .elapsed()
                            .toMillis()
                    > 100;
        }
        assertThat(late).isTrue();
        assertThat(seen).containsOnly("written");
    }

    @Test
    void mailboxesAreFull() {
        Simulation.seed(2).faults(Faults.none().fillMailboxes(1).atMost(1)).play(world -> {
            ProcessRef ref = world.node()
                    .spawn(Spawn.of(() -> Process.of((events, out) -> out.idle())))
                    .ref();
            assertThat(ref.send("first", null)).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(ref.send("second", null)).isEqualTo(Delivery.DELIVERED);
        });
    }

    @Test
    void aProcessThatIsHeldUpRunsLater_andTheOthersGoOn() {
        for (int seed = 0; seed < 20; seed++) {
            seen.clear();
            Outcome outcome = Simulation.seed(seed)
                    .faults(Faults.none().stall(1, Duration.ofSeconds(5)).atMost(1))
                    .run(node -> {
                        for (String name : List.of("a", "b")) {
                            node.spawn(Spawn.of(() -> Process.of((events, out) -> {
                                seen.add(name);
                                out.done();
                            })));
                        }
                    });
            assertThat(seen).containsExactlyInAnyOrder("a", "b");
            assertThat(outcome.trace().text()).contains("is held up");
            assertThat(outcome.elapsed()).isPositive();
        }
    }

    @Test
    void aHostIsLostAndComesBackEmpty() {
        Simulation.seed(3).node(node -> node.host("front").host("back")).play(world -> {
            Pid pid = world.node()
                    .spawn(Spawn.of(() -> Process.of((events, out) -> out.idle()))
                            .on("back"))
                    .pid();
            world.run(Duration.ofSeconds(1));
            world.loseHost("back");
            assertThat(world.node().find(pid)).isEmpty();
            assertThat(world.node().host("back").isRunning()).isFalse();
            world.startHost("back");
            assertThat(world.node().host("back").isRunning()).isTrue();
        });
    }

    @Test
    void hostsAreLostByARate() {
        Outcome outcome = Simulation.seed(2)
                .node(node -> node.host("front").host("back"))
                .faults(Faults.none().loseHosts(1, Duration.ofSeconds(1)).atMost(1))
                .run(node -> node.spawn(Spawn.of(FaultsTest::ticker).on("back")));
        assertThat(outcome.trace().text()).contains("is lost").contains("starts");
    }

    @Test
    void aNodeThatIsRestartedBootsAgain() {
        int[] boots = new int[1];
        Simulation.seed(2).play(world -> {
            world.boot(node -> {
                boots[0]++;
                node.spawn(
                        Spawn.of(() -> Process.of((events, out) -> out.idle())).name("server"));
            });
            world.run(Duration.ofSeconds(1));
            world.restart(Duration.ofSeconds(2));
            assertThat(world.isUp("node")).isFalse();
            world.run(Duration.ofSeconds(3));
            assertThat(world.isUp("node")).isTrue();
            assertThat(world.node().names().find("server")).isPresent();
        });
        assertThat(boots[0]).isEqualTo(2);
    }

    @Test
    void theServicesOfANodeHaveStartedWhenItBoots() {
        Simulation.seed(2)
                .node(node -> node.service(ServiceSpec.of(
                        "clock",
                        Spawn.of(() -> Process.of((events, out) -> out.idle())).name("clock"))))
                .run(node -> seen.add(node.names().find("clock").isPresent()));
        assertThat(seen).containsExactly(true);
    }

    @Test
    void nodesAreRestartedByARate() {
        int[] boots = new int[1];
        Simulation.seed(2)
                .faults(Faults.none().restartNodes(1, Duration.ofSeconds(1)).atMost(1))
                .run(node -> {
                    boots[0]++;
                    node.spawn(Spawn.of(FaultsTest::ticker));
                });
        assertThat(boots[0]).isEqualTo(2);
    }

    @Test
    void aProcessOfYourChoiceCrashesInItsNextStep() {
        Simulation.seed(2).play(world -> {
            ProcessRef ref = world.node()
                    .spawn(Spawn.of(() -> Process.of((events, out) -> out.idle())))
                    .ref();
            world.run(Duration.ZERO);
            world.crash(ref.pid());
            world.run(Duration.ZERO);
            assertThat(ref.inspect()).as("it sleeps").isPresent();
            ref.send("x", null);
            world.run(Duration.ZERO);
            assertThat(ref.inspect()).isEmpty();
        });
    }

    @Test
    void aRateIsAProbability() {
        assertThatThrownBy(() -> Faults.none().crash(1.5)).hasMessageContaining("was 1.5, must be 0 to 1");
        assertThatThrownBy(() -> Faults.none().failCommands(Double.NaN)).hasMessageContaining("must be 0 to 1");
    }

    private static Process ticker() {
        return Process.of((events, out) -> {
            for (Event event : events) {
                assertThat(event).isNotInstanceOf(Message.class);
            }
            out.yield(new Sleep(Duration.ofMinutes(1)), 1);
        });
    }

    private Outcome yieldOnce(Faults faults, Duration timeout) {
        return yieldOnce(2, faults, timeout);
    }

    private Outcome yieldOnce(long seed, Faults faults, Duration timeout) {
        return Simulation.seed(seed)
                .faults(faults)
                .simulate(Write.class, (write, world) -> "written")
                .run(node -> node.spawn(Spawn.of(() -> Process.of((events, out) -> {
                    if (events.isEmpty()) {
                        out.yield(new Write(), 1, timeout);
                        return;
                    }
                    for (Event event : events) {
                        if (event instanceof Completion completion) {
                            seen.add(completion.error() == null ? completion.data() : completion.error());
                        }
                    }
                    out.idle();
                }))));
    }

    private record Write() implements Command {}
}

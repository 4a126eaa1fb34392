// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.CommandTimeoutException;
import dev.treadle.Completion;
import dev.treadle.Process;
import dev.treadle.command.Call;
import dev.treadle.node.Spawn;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What becomes of commands in a simulation. */
class HandlersTest {
    private final List<Object> answers = new ArrayList<>();

    @Test
    void aHandlerThatAnswersOnTheSpotIsUsedAsItIs() {
        run(
                registry().register(Fetch.class, (fetch, receiver) -> receiver.complete("page " + fetch.page())),
                Simulation.seed(1));
        assertThat(answers).containsExactly("page 7");
    }

    @Test
    void anAsynchronousHandlerIsRefusedWithWhatToDo_andNotCalled() {
        assertThatThrownBy(() -> run(
                        registry().registerAsync(Fetch.class, fetch -> {
                            answers.add("called");
                            return CompletableFuture.completedFuture("real");
                        }),
                        Simulation.seed(1)))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("Fetch would leave the simulation")
                .hasMessageContaining("asynchronous")
                .hasMessageContaining("simulate(Fetch.class, (command, world) -> Answer.of(...))");
        assertThat(answers).isEmpty();
    }

    @Test
    void aBlockingHandlerIsRefusedWithWhatToDo_andNotCalled() {
        assertThatThrownBy(() -> run(
                        registry().registerBlocking(Fetch.class, fetch -> answers.add("called")), Simulation.seed(1)))
                .hasMessageContaining("simulate(Fetch.class");
        assertThat(answers).isEmpty();
    }

    @Test
    void aCallRunsOnAnotherThread_soItIsRefusedToo() {
        Supplier<Command> call = () -> new Call(() -> "called");
        assertThatThrownBy(() -> run(registry(), Simulation.seed(1), call)).hasMessageContaining("simulate(Call.class");

        run(
                registry(),
                Simulation.seed(1)
                        .simulate(
                                Call.class,
                                (command, world) -> command.function().call()),
                call);
        assertThat(answers).containsExactly("called");
    }

    @Test
    void aHandlerThatAnswersFromAnotherThreadIsFound() {
        assertThatThrownBy(() -> run(
                        registry().register(Fetch.class, (fetch, receiver) -> {
                            var thread = new Thread(() -> receiver.complete("late"), "outside");
                            thread.start();
                            thread.join();
                        }),
                        Simulation.seed(1)))
                .hasMessageContaining("thread \"outside\", which the simulation does not run");
    }

    @Test
    void aHandlerThatNeverAnswersIsFound() {
        assertThatThrownBy(() -> run(registry().register(Fetch.class, (fetch, receiver) -> {}), Simulation.seed(1)))
                .hasMessageContaining("{main|1} waits for an answer to Fetch(7) (tag 1)");
        run(
                registry().register(Fetch.class, (fetch, receiver) -> {}),
                Simulation.seed(1).mayWaitForEver());
    }

    @Test
    void aStandInTakesThePlaceOfAHandler_orOfNone() {
        run(
                registry().registerBlocking(Fetch.class, fetch -> "real"),
                Simulation.seed(1).simulate(Fetch.class, (f, w) -> "sim"));
        run(registry(), Simulation.seed(1).simulate(Fetch.class, (fetch, world) -> "sim too"));
        assertThat(answers).containsExactly("sim", "sim too");
    }

    @Test
    void aStandInThatThrowsFailsTheYield() {
        run(registry(), Simulation.seed(1).simulate(Fetch.class, (fetch, world) -> {
            throw new IOException("no route");
        }));
        assertThat(answers).singleElement().isInstanceOf(IOException.class);
    }

    @Test
    void anAnswerComesAfterItsLatency_andNotBefore() {
        Outcome outcome = run(
                registry(),
                Simulation.seed(1)
                        .simulate(Fetch.class, (f, w) -> Answer.of("slow").after(Duration.ofMinutes(3))));
        assertThat(answers).containsExactly("slow");
        assertThat(outcome.elapsed()).isEqualTo(Duration.ofMinutes(3));
    }

    @Test
    void latenciesAndFailuresFollowTheirDistributions() {
        Set<Duration> latencies = new HashSet<>();
        int failed = 0;
        for (int seed = 0; seed < 400; seed += 2) {
            answers.clear();
            Answer answer = Answer.of("page")
                    .between(Duration.ofMillis(10), Duration.ofMillis(50))
                    .failing(0.25, () -> new IOException("reset"));
            latencies.add(run(registry(), Simulation.seed(seed).simulate(Fetch.class, (f, w) -> answer))
                    .elapsed());
            failed += answers.get(0) instanceof IOException ? 1 : 0;
        }
        assertThat(latencies)
                .hasSizeGreaterThan(20)
                .allSatisfy(latency -> assertThat(latency).isBetween(Duration.ofMillis(10), Duration.ofMillis(50)));
        assertThat(failed).isBetween(20, 80);
    }

    @Test
    void aCommandThatIsNeverAnsweredTimesOutInVirtualTime() {
        Outcome outcome = Simulation.seed(1)
                .simulate(Fetch.class, (fetch, world) -> Answer.never())
                .run(node -> node.spawn(Spawn.of(() -> process(() -> new Fetch(7), Duration.ofMinutes(50)))));
        assertThat(answers).singleElement().isInstanceOf(CommandTimeoutException.class);
        assertThat(outcome.elapsed()).isEqualTo(Duration.ofMinutes(50));
    }

    @Test
    void answersOfStandInsComeInDifferentOrders() {
        Set<List<Object>> orders = new HashSet<>();
        for (int seed = 0; seed < 50; seed++) {
            answers.clear();
            Simulation.seed(seed)
                    .simulate(Fetch.class, (fetch, world) -> fetch.page())
                    .run(node -> node.spawn(Spawn.of(() -> Process.of((events, out) -> {
                        if (events.isEmpty()) {
                            for (int page = 1; page <= 3; page++) {
                                out.yield(new Fetch(page), page);
                            }
                        }
                        events.forEach(event -> answers.add(((Completion) event).data()));
                        out.idle();
                    }))));
            orders.add(List.copyOf(answers));
        }
        assertThat(orders).hasSize(6);
    }

    private static CommandRegistry registry() {
        return new CommandRegistry();
    }

    private Outcome run(CommandRegistry registry, Simulation simulation) {
        return run(registry, simulation, () -> new Fetch(7));
    }

    private Outcome run(CommandRegistry registry, Simulation simulation, Supplier<Command> command) {
        return simulation
                .node(node -> node.host("main", host -> host.handlers(registry)))
                .run(node -> node.spawn(Spawn.of(() -> process(command, Duration.ZERO))));
    }

    private Process process(Supplier<Command> command, Duration timeout) {
        return Process.of((events, out) -> {
            if (events.isEmpty()) {
                if (timeout.isZero()) {
                    out.yield(command.get(), 1);
                } else {
                    out.yield(command.get(), 1, timeout);
                }
                return;
            }
            for (var event : events) {
                if (event instanceof Completion completion) {
                    answers.add(completion.error() == null ? completion.data() : completion.error());
                }
            }
            out.done();
        });
    }

    private record Fetch(int page) implements Command {}
}

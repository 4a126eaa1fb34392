// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.treadle.Process;
import dev.treadle.node.Spawn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The annotation, used by JUnit itself. */
class SimulationTestTest {
    @Test
    void allSeedsAreRun_eachWithAnInstanceOfItsOwn() {
        Cases.RUNS.set(0);
        Cases.SEEDS.clear();
        assertThat(run(Cases.class, "passes")).isNull();
        assertThat(Cases.SEEDS).hasSize(50).contains(1000L, 1049L);
        assertThat(Cases.RUNS.get()).as("the first two twice").isEqualTo(52);
    }

    @Test
    void theFailingSeedIsReportedShrunkWithTheLineThatReplaysIt() throws Exception {
        Throwable failure = run(Cases.class, "fails");
        assertThat(failure)
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("always \"fewer than three\"")
                .hasMessageContaining("shrunk from")
                .hasMessageContaining("Simulation.replay(\"0/");
        assertThat(((SimulationFailure) failure).trace().events()).hasSize(6);
        assertThat(Files.readString(Path.of("target", "simulation", "Cases-fails.html")))
                .startsWith("<!doctype html>");
    }

    @Test
    void aReplayRunsThatLineAlone() {
        Cases.RUNS.set(0);
        assertThat(run(Cases.class, "replays")).hasMessageContaining("seed 9");
        assertThat(Cases.RUNS.get()).isEqualTo(1);
    }

    @Test
    void whatATestThrowsAfterItsRunCountsToo() {
        assertThat(run(Cases.class, "failsAfterwards"))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("after the run");
    }

    @Test
    void codeThatTheSeedDoesNotDecideIsFound_andWhereTheRunsParted() {
        assertThat(run(Cases.class, "dependsOnSomethingElse").getMessage())
                .contains("two runs of this seed are not the same. They part here:")
                .containsPattern("first: +3 0.000000s end \\{main\\|1} DONE \\d")
                .containsPattern("second: +3 0.000000s end \\{main\\|1} DONE \\d")
                .contains("the real clock");
    }

    @Test
    void otherParametersAreRefused() {
        assertThat(run(Cases.class, "hasNoSimulation")).hasMessageContaining("must have that alone");
    }

    @Test
    void aNestedClassGetsItsOuterInstance() {
        assertThat(run(Cases.Inner.class, "passes")).isNull();
    }

    private static Throwable run(Class<?> type, String method) {
        var listener = new SummaryGeneratingListener();
        var request = LauncherDiscoveryRequestBuilder.request();
        request.selectors(
                method.equals("hasNoSimulation")
                        ? selectMethod(type, method)
                        : selectMethod(type, method, Simulation.class.getName()));
        LauncherFactory.create().execute(request.build(), listener);
        var summary = listener.getSummary();
        assertThat(summary.getTestsStartedCount()).isEqualTo(1);
        return summary.getFailures().isEmpty()
                ? null
                : summary.getFailures().get(0).getException();
    }

    /** Run by the tests above, not by the build. */
    static class Cases {
        static final AtomicInteger RUNS = new AtomicInteger();
        static final Set<Long> SEEDS = ConcurrentHashMap.newKeySet();
        static final AtomicLong OUTSIDE = new AtomicLong();

        private final String outer = "outer";
        private int runsOfThis;

        @SimulationTest(seeds = 50, firstSeed = 1000)
        void passes(Simulation simulation) {
            SEEDS.add(simulation.run(node -> {}).seed());
            RUNS.incrementAndGet();
            assertThat(++runsOfThis).isEqualTo(1);
        }

        @SimulationTest
        void fails(Simulation simulation) {
            simulation.play(world -> {
                int[] started = new int[1];
                world.always("fewer than three", () -> started[0] < 3);
                for (int i = 0; i < 5 + world.choose(20); i++) {
                    world.node().spawn(Spawn.of(() -> Process.of((events, out) -> started[0]++)));
                    world.run(Duration.ofMillis(1));
                }
            });
        }

        @SimulationTest(replay = "9/u0.3")
        void replays(Simulation simulation) {
            RUNS.incrementAndGet();
            simulation.play(world -> assertThat(world.choose(10)).isNotEqualTo(3));
        }

        @SimulationTest
        void failsAfterwards(Simulation simulation) {
            simulation.run(node -> {});
            throw new IllegalStateException("after the run");
        }

        @SimulationTest
        void dependsOnSomethingElse(Simulation simulation) {
            simulation.run(node ->
                    node.spawn(Spawn.of(() -> Process.of((events, out) -> out.done(OUTSIDE.getAndIncrement())))));
        }

        @SimulationTest
        void hasNoSimulation() {}

        @Nested
        class Inner {
            @SimulationTest(seeds = 3)
            void passes(Simulation simulation) {
                assertThat(outer).isEqualTo("outer");
                simulation.run(node -> {});
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Process;
import dev.treadle.node.Spawn;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;

/** Tests that {@link SimulationTestTest} runs, and that are to fail; not run by the build. */
class AnnotatedCases {
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

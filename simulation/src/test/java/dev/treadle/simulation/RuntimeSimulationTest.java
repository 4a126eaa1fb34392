// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Our own supervisors, asks, timers, names and shutdown, in many orders and with faults. */
class RuntimeSimulationTest {
    private static final int FEW = 200;
    private static final int MANY = 10_000;

    @SimulationTest(seeds = FEW)
    void supervisors(Simulation simulation) {
        RuntimeScenarios.supervisors(simulation);
    }

    @SimulationTest(seeds = FEW)
    void asks(Simulation simulation) {
        RuntimeScenarios.asks(simulation);
    }

    @SimulationTest(seeds = FEW)
    void timers(Simulation simulation) {
        RuntimeScenarios.timers(simulation);
    }

    @SimulationTest(seeds = FEW)
    void names(Simulation simulation) {
        RuntimeScenarios.names(simulation);
    }

    @SimulationTest(seeds = FEW)
    void shutdown(Simulation simulation) {
        RuntimeScenarios.shutdown(simulation);
    }

    @Nested
    @Tag("stress")
    class WithManySeeds {
        @SimulationTest(seeds = MANY)
        void supervisors(Simulation simulation) {
            RuntimeScenarios.supervisors(simulation);
        }

        @SimulationTest(seeds = MANY)
        void asks(Simulation simulation) {
            RuntimeScenarios.asks(simulation);
        }

        @SimulationTest(seeds = MANY)
        void timers(Simulation simulation) {
            RuntimeScenarios.timers(simulation);
        }

        @SimulationTest(seeds = MANY)
        void names(Simulation simulation) {
            RuntimeScenarios.names(simulation);
        }

        @SimulationTest(seeds = MANY)
        void shutdown(Simulation simulation) {
            RuntimeScenarios.shutdown(simulation);
        }
    }
}

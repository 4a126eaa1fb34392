// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** A whole node in one test: run by one thread, from one seed, in virtual time, with faults; and processes recorded and replayed. */
module dev.treadle.simulation {
    requires static org.jspecify;
    requires static org.junit.jupiter.api;
    requires transitive dev.treadle.node;

    exports dev.treadle.simulation;
    exports dev.treadle.simulation.replay;
}

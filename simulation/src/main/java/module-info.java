// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** A node run by one thread from one seed; processes recorded and replayed. */
module dev.treadle.simulation {
    requires static org.jspecify;
    requires transitive dev.treadle.node;

    exports dev.treadle.simulation.replay;
}

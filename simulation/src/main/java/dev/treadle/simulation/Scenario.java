// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

/** What happens in a simulation from the outside: starts processes, sends, waits, checks. */
@FunctionalInterface
public interface Scenario {
    /**
     * Plays it, on the thread of the simulation.
     *
     * @throws Exception fails the run
     */
    void play(World world) throws Exception;
}

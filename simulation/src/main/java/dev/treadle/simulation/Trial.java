// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

/** A test that runs one simulation, and can be run again with another one. */
@FunctionalInterface
public interface Trial {
    /**
     * Sets the simulation up and runs it. Called many times, on several threads at once, with a new simulation each time.
     *
     * @throws Throwable fails the test
     */
    void run(Simulation simulation) throws Throwable;
}

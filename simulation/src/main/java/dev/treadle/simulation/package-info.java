// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * Runs a whole node on one thread, from one seed, in virtual time and with faults, and runs it again exactly.
 *
 * <pre>
 *   SimulationTest, Simulation.explore      many seeds; Explorer runs them, Shrinker makes the one that fails smaller
 *          |  a Simulation for each
 *   Simulation.play(Scenario)               one Run: takes turns until nothing can happen any more
 *          |
 *   Run.turn     Choices decides which      what is due (Agenda), a timer, or a ready process
 *          |
 *   SteppedNode, SteppedScheduler           the production code, on this thread
 *          |  asks and tells, at each step
 *   Directing    Faults, StandIns           crashes, delays, answers; and writes the Trace
 * </pre>
 *
 * <p><b>Read next:</b> {@link dev.treadle.simulation.Simulation}, {@link dev.treadle.simulation.World}, {@link
 * dev.treadle.simulation.Faults}; inside, {@code Run} and {@code Choices}; and docs/design/0012-simulation.md.
 */
@NullMarked
package dev.treadle.simulation;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.time.Duration;

/**
 * A run that did not fail.
 *
 * @param seed its seed
 * @param replayLine the line that runs it again: see {@link Simulation#replay}
 * @param steps how many turns processes had
 * @param elapsed how much virtual time passed
 * @param trace what happened
 */
public record Outcome(long seed, String replayLine, long steps, Duration elapsed, Trace trace) {}

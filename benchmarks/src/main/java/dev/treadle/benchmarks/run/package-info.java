// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * Runs the workloads and collects the figures.
 *
 * <pre>
 * Campaign --for each workload, fork and contender, in turn--> ForkProcess --starts a JVM--> Fork
 *    |                                                             |                           | warms up, measures,
 *    |                                                             +&lt;---- a ForkResult -----+ watches Disturbance
 *    v
 * Results: Environment and Series, kept as JSON
 * </pre>
 *
 * <p>Each run has a JVM of its own: what one contender made of the compiler's profile must not touch the next.
 */
@NullMarked
package dev.treadle.benchmarks.run;

import org.jspecify.annotations.NullMarked;

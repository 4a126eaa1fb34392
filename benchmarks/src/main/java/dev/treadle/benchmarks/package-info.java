// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * The {@code treadle bench} command, and the work that it measures.
 *
 * <pre>
 * Main --arguments--> run.Campaign --results--> report.TextTable, report.MarkdownReport
 *                         |
 *                         v in a JVM of its own
 *                     Workload.run --one operation after the other--> Peer: treadle, pekko, kotlin, vt, vertx, fj
 * </pre>
 *
 * <p>{@link dev.treadle.benchmarks.Workload} is the list of what is measured, {@link dev.treadle.benchmarks.Contender} the
 * list of who. A {@link dev.treadle.benchmarks.Peer} does each workload in the best form of its system; there is a package
 * for each, with the same files: Balls, Floods, Families, Meetings, Turns, Waiting. What must be the same for all stands
 * here: {@link dev.treadle.benchmarks.Shape} and the states that check the results, such as {@link
 * dev.treadle.benchmarks.Tally} and {@link dev.treadle.benchmarks.Arrivals}.
 *
 * <p>To add a workload: a constant in {@code Workload}, a method in {@code Peer}, and one in each peer. To add a peer: a
 * package, and a constant in {@code Contender}.
 *
 * <p>The micro-benchmarks are in the package {@code dev.treadle}, beside the classes that they measure.
 */
@NullMarked
package dev.treadle.benchmarks;

import org.jspecify.annotations.NullMarked;

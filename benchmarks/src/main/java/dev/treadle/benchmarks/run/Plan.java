// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import dev.treadle.benchmarks.Workload;

/**
 * How long a JVM warms up and measures. Both have a least time and a least number of iterations.
 *
 * @param quick whether the sizes are the quick ones
 */
public record Plan(
        boolean quick, int warmupIterations, double warmupSeconds, int iterations, double seconds, int iterationsMax) {
    /** Some ten seconds for each JVM. */
    public static final Plan FULL = new Plan(false, 5, 4, 7, 5, 60);

    /** Less than four seconds for each JVM, so that five workloads take less than three minutes. */
    public static final Plan QUICK = new Plan(true, 2, 1, 3, 1.2, 30);

    /** Returns how many operations one iteration has. */
    public int size(Workload workload) {
        return quick ? workload.quickSize() : workload.size();
    }
}

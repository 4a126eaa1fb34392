// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one JVM measured.
 *
 * @param status what became of it
 * @param figures the figures of the workload, each the median over the iterations; empty unless OK
 * @param iterations how many iterations were measured
 * @param othersShare how much of the machine's CPU time others had meanwhile, from 0 to 1; negative if unknown
 * @param note why, if it is not OK
 */
public record ForkResult(
        Status status,
        List<Double> figures,
        int iterations,
        double othersShare,
        @Nullable String note) {
    /** Others may have that much of the CPU time. A JVM that does nothing measures about a tenth of it here. */
    public static final double OTHERS_SHARE_MAX = 0.05;

    /** What became of a run. */
    public enum Status {
        /** Measured and checked. */
        OK,
        /** Some processes never ran. */
        STARVED,
        /** The contender cannot do it. */
        UNABLE,
        /** It failed, or its result was wrong. */
        FAILED
    }

    /** Returns a result without figures. */
    public static ForkResult without(Status status, String note) {
        return without(status, -1, note);
    }

    /** Returns a result without figures, of a run beside which others had so much of the CPU time. */
    public static ForkResult without(Status status, double othersShare, String note) {
        return new ForkResult(status, List.of(), 0, othersShare, note);
    }

    /** Returns whether other processes took so much CPU time that the figures mean little. */
    public boolean isDisturbed() {
        return othersShare > OTHERS_SHARE_MAX;
    }
}

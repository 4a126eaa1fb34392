// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import java.util.Arrays;

/** Medians and spreads. */
public final class Statistics {
    private Statistics() {}

    /** Returns the middle one, or the mean of the two in the middle. */
    public static double median(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("there are no values: a median needs one at least");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns half the distance from the least to the greatest value, as a share of the median: the ± of a table. */
    public static double spread(double... values) {
        double median = median(values);
        double least = Arrays.stream(values).min().orElseThrow();
        double greatest = Arrays.stream(values).max().orElseThrow();
        return median == 0 ? 0 : (greatest - least) / 2 / median;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import dev.treadle.benchmarks.run.ForkResult.Status;
import java.util.List;
import java.util.Optional;

/**
 * What one contender gave on one workload.
 *
 * @param workload its label
 * @param contender its label
 * @param forks one for each JVM
 */
public record Series(String workload, String contender, List<ForkResult> forks) {
    /** Returns whether every JVM gave figures. */
    public boolean isMeasured() {
        return !forks.isEmpty() && forks.stream().allMatch(fork -> fork.status() == Status.OK);
    }

    /** Returns the median of a figure over the forks. */
    public double median(int figure) {
        return Statistics.median(values(figure));
    }

    /** Returns the spread of a figure over the forks, as a share of its median. */
    public double spread(int figure) {
        return Statistics.spread(values(figure));
    }

    private double[] values(int figure) {
        return forks.stream().mapToDouble(fork -> fork.figures().get(figure)).toArray();
    }

    /** Returns whether one of the runs was disturbed, even after it was repeated. */
    public boolean isDisturbed() {
        return forks.stream().anyMatch(ForkResult::isDisturbed);
    }

    /** Returns the first that gave no figures. */
    public Optional<ForkResult> trouble() {
        return forks.stream().filter(fork -> fork.status() != Status.OK).findFirst();
    }
}

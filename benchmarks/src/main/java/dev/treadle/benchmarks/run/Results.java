// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * All that a campaign measured.
 *
 * @param environment where
 * @param series what, in the order of the runs
 * @param lanes what Treadle gave with other numbers of workers; empty if that was not asked for
 */
public record Results(Environment environment, List<Series> series, List<Lane> lanes) {
    /** Checks nothing: a file of results may be without lanes. */
    public Results {
        lanes = Objects.requireNonNullElse(lanes, List.of());
    }

    /** Returns these results with other lanes. */
    public Results withLanes(List<Lane> lanes) {
        return new Results(environment, series, lanes);
    }

    /** Returns the workloads that were measured, in order. */
    public List<Workload> workloads() {
        return series.stream()
                .map(one -> Workload.of(one.workload()).orElseThrow())
                .distinct()
                .toList();
    }

    /** Returns the contenders that were measured, in order. */
    public List<Contender> contenders() {
        return series.stream()
                .map(one -> Contender.of(one.contender()).orElseThrow())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns what a contender gave on a workload. */
    public Optional<Series> series(Workload workload, Contender contender) {
        return series.stream()
                .filter(one -> one.workload().equals(workload.label()))
                .filter(one -> one.contender().equals(contender.label()))
                .findFirst();
    }

    /** Returns the peer with the least figure, if there is one with a figure. */
    public Optional<Series> bestPeer(Workload workload) {
        return Contender.peers().stream()
                .flatMap(peer -> series(workload, peer).stream())
                .filter(Series::isMeasured)
                .min((a, b) -> Double.compare(a.median(0), b.median(0)));
    }

    /** Returns the peers that have less than Treadle in a figure of a workload, the one with the least first. */
    public List<Series> ahead(Workload workload, int figure) {
        Optional<Series> treadle = series(workload, Contender.TREADLE).filter(Series::isMeasured);
        return Contender.peers().stream()
                .flatMap(peer -> series(workload, peer).stream())
                .filter(Series::isMeasured)
                .filter(series -> treadle.isPresent()
                        && series.median(figure) < treadle.get().median(figure))
                .sorted(Comparator.comparingDouble(series -> series.median(figure)))
                .toList();
    }

    /** Returns how many times less Treadle takes than the best peer, if both have a figure. */
    public Optional<Double> ratio(Workload workload) {
        Optional<Series> treadle = series(workload, Contender.TREADLE).filter(Series::isMeasured);
        return treadle.flatMap(mine -> bestPeer(workload).map(best -> best.median(0) / mine.median(0)));
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.report;

import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.Lane;
import dev.treadle.benchmarks.run.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The cells of the table that shows Treadle with several numbers of workers. */
final class LaneTable {
    private LaneTable() {}

    /** Returns the rows, the header first. The last column says how many times as much one worker takes as two. */
    static List<List<String>> rows(List<Lane> lanes) {
        List<Integer> counts = lanes.stream().map(Lane::workers).distinct().toList();
        var rows = new ArrayList<List<String>>();
        var header = new ArrayList<String>(List.of("workload", "unit"));
        counts.forEach(count -> header.add(count + (count == 1 ? " worker" : " workers")));
        header.add("1 / 2");
        rows.add(header);
        for (String label :
                lanes.stream().map(lane -> lane.series().workload()).distinct().toList()) {
            Workload workload = Workload.of(label).orElseThrow();
            var row = new ArrayList<String>(List.of(label, Cells.unit(workload)));
            counts.forEach(count -> row.add(Cells.figure(workload, series(lanes, label, count))));
            row.add(Cells.ratio(gain(lanes, label)));
            rows.add(row);
        }
        return rows;
    }

    private static Optional<Double> gain(List<Lane> lanes, String workload) {
        Optional<Series> two = series(lanes, workload, 2).filter(Series::isMeasured);
        return series(lanes, workload, 1)
                .filter(Series::isMeasured)
                .flatMap(one -> two.map(both -> one.median(0) / both.median(0)));
    }

    private static Optional<Series> series(List<Lane> lanes, String workload, int workers) {
        return lanes.stream()
                .filter(lane -> lane.workers() == workers)
                .map(Lane::series)
                .filter(series -> series.workload().equals(workload))
                .findFirst();
    }

    /** Returns the table as Markdown. */
    static String markdown(List<Lane> lanes) {
        var text = new StringBuilder();
        List<List<String>> rows = rows(lanes);
        for (int i = 0; i < rows.size(); i++) {
            text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
            if (i == 0) {
                text.append(String.format(
                        Locale.ROOT, "|%s%n", " --- |".repeat(rows.get(0).size())));
            }
        }
        return text.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.report;

import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.ForkResult;
import dev.treadle.benchmarks.run.Series;
import java.util.Locale;
import java.util.Optional;

/** What stands in the cells of a table, for people to read. */
final class Cells {
    private Cells() {}

    /** Returns the figure, or what stands in its place. */
    static String figure(Workload workload, Optional<Series> series) {
        if (series.isEmpty()) {
            return "-";
        }
        Optional<ForkResult> trouble = series.get().trouble();
        if (trouble.isPresent()) {
            return switch (trouble.get().status()) {
                case STARVED -> "starves" + mark(series.get());
                case FAILED -> "failed";
                case UNABLE, OK -> "-";
            };
        }
        var text = new StringBuilder();
        for (int i = 0; i < workload.figures().size(); i++) {
            text.append(i == 0 ? "" : " / ").append(number(series.get().median(i)));
            if (series.get().forks().size() > 1) {
                text.append(String.format(
                        Locale.ROOT, " ±%.0f%%", 100 * series.get().spread(i)));
            }
        }
        return text + mark(series.get());
    }

    private static String mark(Series series) {
        return series.isDisturbed() ? "*" : "";
    }

    /** Returns what the figures are. */
    static String unit(Workload workload) {
        String figures = String.join(" / ", workload.figures());
        return figures.equals("ns") ? "ns per " + workload.operation() : figures;
    }

    /** Returns how many times as much the best peer takes. */
    static String ratio(Optional<Double> ratio) {
        return ratio.map(value -> String.format(Locale.ROOT, "%.2f", value)).orElse("-");
    }

    /** Returns three digits or more. */
    static String number(double value) {
        if (value < 9.995) {
            return String.format(Locale.ROOT, "%.2f", value);
        }
        return String.format(Locale.ROOT, value < 99.95 ? "%.1f" : "%,.0f", value);
    }
}

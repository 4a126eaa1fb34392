// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.report;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.Results;
import dev.treadle.benchmarks.run.Series;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One workload as an SVG with a bar for each contender. Its colours suit a light and a dark page. */
final class BarChart {
    private static final int WIDTH = 640;
    private static final int LABEL_WIDTH = 110;
    private static final int FIGURE_WIDTH = 150;
    private static final int ROW = 26;
    private static final int TOP = 34;

    private BarChart() {}

    static String svg(Results results, Workload workload) {
        List<Contender> contenders = results.contenders();
        double greatest = contenders.stream()
                .flatMap(contender -> results.series(workload, contender).stream())
                .filter(Series::isMeasured)
                .mapToDouble(series -> series.median(0))
                .max()
                .orElse(1);
        int height = TOP + ROW * contenders.size() + 8;
        var svg = new StringBuilder(String.format(Locale.ROOT, """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img">
                <title>%3$s, %4$s: less is better</title>
                <style>
                text { font: 13px sans-serif; fill: #24292f }
                .own { fill: #1a7f64 } .peer { fill: #8c959f }
                @media (prefers-color-scheme: dark) { text { fill: #d0d7de } .own { fill: #3fb98f } .peer { fill: #6e7681 } }
                </style>
                <text x="4" y="18" font-weight="bold">%3$s, %4$s (less is better)</text>
                """, WIDTH, height, workload.label(), unit(workload)));
        int y = TOP;
        for (Contender contender : contenders) {
            Optional<Series> series = results.series(workload, contender);
            double share = series.filter(Series::isMeasured)
                    .map(one -> one.median(0) / greatest)
                    .orElse(0.0);
            double length = share * (WIDTH - LABEL_WIDTH - FIGURE_WIDTH);
            svg.append(String.format(
                    Locale.ROOT,
                    """
                    <text x="4" y="%d">%s</text>
                    <rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"/>
                    <text x="%.1f" y="%d">%s</text>
                    """,
                    y + 15,
                    contender.label(),
                    contender == Contender.TREADLE ? "own" : "peer",
                    LABEL_WIDTH,
                    y,
                    length,
                    ROW - 6,
                    LABEL_WIDTH + length + 6,
                    y + 15,
                    Cells.figure(workload, series)));
            y += ROW;
        }
        return svg.append("</svg>\n").toString();
    }

    private static String unit(Workload workload) {
        String first = workload.figures().get(0);
        return first.equals("ns") ? "ns per " + workload.operation() : first;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.report;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.Campaign;
import dev.treadle.benchmarks.run.ForkResult;
import dev.treadle.benchmarks.run.Series;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says what runs, and what it gave: one line for each run. */
public final class ProgressLines implements Campaign.Progress {
    private final PrintWriter out;

    /** Writes there. */
    public ProgressLines(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begins(int run, int runs, Workload workload, Contender contender) {
        out.printf(Locale.ROOT, "[%d/%d] %-14s %-11s ", run, runs, workload.label(), contender.label());
        out.flush();
    }

    @Override
    public void ended(Workload workload, Contender contender, ForkResult result, boolean repeated) {
        var series = new Series(workload.label(), contender.label(), List.of(result));
        String figure = Cells.figure(workload, Optional.of(series));
        String note = result.note();
        if (repeated) {
            out.printf(Locale.ROOT, "%s (others had %.0f %% of the CPU: again) ", figure, 100 * result.othersShare());
        } else {
            out.println(figure + (note == null ? " " + String.join(" / ", workload.figures()) : " (" + note + ")"));
        }
        out.flush();
    }
}

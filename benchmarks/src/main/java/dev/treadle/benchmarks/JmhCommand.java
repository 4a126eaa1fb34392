// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import dev.treadle.cli.ExitCode;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** {@code treadle bench --jmh}: runs the micro-benchmarks, as their annotations say. */
final class JmhCommand {
    private JmhCommand() {}

    static int run(String regex, PrintWriter out) throws RunnerException {
        Collection<RunResult> results;
        try {
            results = new Runner(new OptionsBuilder()
                            .include("(?i)" + regex)
                            .addProfiler("gc")
                            .shouldFailOnError(true)
                            .build())
                    .run();
        } catch (NoBenchmarksException none) {
            throw new IllegalArgumentException(
                    "--jmh was '" + regex + "', which is in no benchmark's name: leave it out to run all of them",
                    none);
        }
        out.println();
        out.printf(Locale.ROOT, "%-45s %12s %10s %12s%n", "benchmark", "score", "error", "bytes/op");
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            var bytes = result.getSecondaryResults().get("gc.alloc.rate.norm");
            out.printf(
                    Locale.ROOT,
                    "%-45s %12.2f %10.2f %12s %s%n",
                    name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1),
                    result.getPrimaryResult().getScore(),
                    result.getPrimaryResult().getScoreError(),
                    bytes == null ? "-" : String.format(Locale.ROOT, "%.1f", bytes.getScore()),
                    result.getPrimaryResult().getScoreUnit());
        }
        out.flush();
        return ExitCode.OK;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.report;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.Environment;
import dev.treadle.benchmarks.run.Lane;
import dev.treadle.benchmarks.run.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The table on the terminal. */
public final class TextTable {
    private TextTable() {}

    /** Returns where the figures come from. */
    public static String head(Environment where) {
        return head(where, List.of(where.workers()));
    }

    /** Returns where the figures come from, if there are several numbers of workers. */
    public static String head(Environment where, List<Integer> workers) {
        return String.format(
                Locale.ROOT,
                """
                %s
                CPU    %s, %d processors; load %.2f
                OS     %s
                JDK    %s
                flags  %s
                each with %s workers, %d JVMs%s

                """,
                where.date(),
                where.cpu(),
                where.processors(),
                where.load(),
                where.os(),
                where.jdk(),
                String.join(" ", where.flags()),
                workers.stream().map(String::valueOf).collect(Collectors.joining(", ")),
                where.forks(),
                where.quick() ? ", quick: a first look, not for publication" : "");
    }

    /** Returns the table. */
    public static String of(Results results) {
        List<Contender> contenders = results.contenders();
        var rows = new ArrayList<List<String>>();
        var header = new ArrayList<String>(List.of("workload", "unit"));
        contenders.forEach(contender -> header.add(contender.label()));
        header.add("best/Treadle");
        rows.add(header);
        for (Workload workload : results.workloads()) {
            var row = new ArrayList<String>();
            row.add(workload.label());
            row.add(Cells.unit(workload));
            contenders.forEach(contender -> row.add(Cells.figure(workload, results.series(workload, contender))));
            row.add(Cells.ratio(results.ratio(workload)));
            rows.add(row);
        }
        return "\n" + aligned(rows) + notes(results);
    }

    /** Returns the table of Treadle with several numbers of workers. */
    public static String of(List<Lane> lanes) {
        return "\n" + aligned(LaneTable.rows(lanes));
    }

    private static String aligned(List<List<String>> rows) {
        var text = new StringBuilder();
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                int at = column;
                int width = rows.stream()
                        .mapToInt(other -> other.get(at).length())
                        .max()
                        .orElse(0);
                text.append(String.format(column < 2 ? "%-" + width + "s  " : "%" + width + "s  ", row.get(column)));
            }
            text.setLength(text.toString().stripTrailing().length());
            text.append('\n');
        }
        return text.toString();
    }

    /** Returns why there are dashes and stars. */
    private static String notes(Results results) {
        var lines = new java.util.LinkedHashSet<String>();
        results.series().forEach(series -> {
            series.trouble()
                    .ifPresent(trouble ->
                            lines.add(series.contender() + " on " + series.workload() + ": " + trouble.note()));
            if (series.isDisturbed()) {
                lines.add("* other processes had more than 5 % of the CPU time");
            }
        });
        return lines.isEmpty() ? "" : "\n" + String.join("\n", lines) + "\n";
    }
}

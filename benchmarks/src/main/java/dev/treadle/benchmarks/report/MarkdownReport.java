// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.report;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.Environment;
import dev.treadle.benchmarks.run.Lane;
import dev.treadle.benchmarks.run.Results;
import dev.treadle.benchmarks.run.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The page docs/benchmarks.md with its charts. */
public final class MarkdownReport {
    private static final String CHARTS = "benchmarks";

    private MarkdownReport() {}

    /**
     * Writes benchmarks.md and the charts beside it.
     *
     * @param results what the charts show
     * @param others results of another JDK or machine, which get a table each
     * @return the page
     * @throws IllegalArgumentException if some of the results are those of a quick run
     */
    public static Path write(Results results, List<Results> others, Path docs) throws IOException {
        requireFull(results);
        others.forEach(MarkdownReport::requireFull);
        Path charts = Files.createDirectories(docs.resolve(CHARTS));
        for (Workload workload : results.workloads()) {
            Files.writeString(charts.resolve(workload.label() + ".svg"), BarChart.svg(results, workload));
        }
        return Files.writeString(docs.resolve("benchmarks.md"), page(results, others));
    }

    private static void requireFull(Results results) {
        if (results.environment().quick()) {
            throw new IllegalArgumentException("these are the results of a quick run, a report needs a full one:"
                    + " run treadle bench --json FILE without --quick");
        }
    }

    static String page(Results results, List<Results> others) {
        Environment where = results.environment();
        var page = new StringBuilder(String.format(
                Locale.ROOT,
                """
                # Benchmarks

                Treadle beside its peers, on the same work. Written by `./treadle bench --report`; do not edit it by hand.

                | | |
                | --- | --- |
                | date | %s |
                | CPU | %s, %d processors |
                | OS | %s |
                | JDK | %s |
                | flags of each JVM | `%s` |
                | load | %.2f in the minute before |
                | runs | %d workers each, %d JVMs for each figure%s, in alternation |

                A figure is the median over the JVMs of the median over the iterations in each; ± is half of the distance between
                the least and the greatest JVM. Less is better. The last column says how many times as much the best peer takes.
                A star marks a figure that other processes disturbed. Every result is checked, mailboxes have no bound, and the time
                to start the processes is part of the figure.

                """,
                where.date(),
                where.cpu(),
                where.processors(),
                where.os(),
                where.jdk(),
                String.join(" ", where.flags()),
                where.load(),
                where.workers(),
                where.forks(),
                otherForks(results)));
        page.append(table(results)).append('\n');
        page.append("## Where a peer is better\n\nWhat it takes, as a share of what Treadle takes:\n\n")
                .append(whereAPeerIsBetter(results));
        String missing = missing(results);
        if (!missing.isEmpty()) {
            page.append("\n## Figures that are missing\n\n").append(missing);
        }
        page.append(scaling(results.lanes()));
        others.forEach(other -> page.append(besides(other)));
        page.append("\n## How to repeat it\n\n```sh\n")
                .append(RepeatCommands.of(results, others))
                .append("""
                        ```

                        Close other programs first. `./treadle bench --help` says more.

                        ## Charts

                        """);
        for (Workload workload : results.workloads()) {
            page.append(String.format(
                    Locale.ROOT,
                    "### %1$s%n%n%2$s.%n%n![%1$s](%3$s/%1$s.svg)%n%n",
                    workload.label(),
                    capital(workload.summary()),
                    CHARTS));
        }
        return page.toString().stripTrailing() + "\n";
    }

    /** Which workloads were measured with another number of JVMs, if any: results of several runs may be in one file. */
    private static String otherForks(Results results) {
        String others = results.workloads().stream()
                .flatMap(workload -> results.series(workload, Contender.TREADLE).stream())
                .filter(series -> series.forks().size() != results.environment().forks())
                .map(series -> series.workload() + " " + series.forks().size())
                .collect(Collectors.joining(", "));
        return others.isEmpty() ? "" : " (" + others + ")";
    }

    private static String table(Results results) {
        List<Contender> contenders = results.contenders();
        var text = new StringBuilder("| workload | unit | ");
        text.append(contenders.stream().map(Contender::label).collect(Collectors.joining(" | ")));
        text.append(" | best peer / Treadle |\n|")
                .append(" --- |".repeat(contenders.size() + 3))
                .append('\n');
        for (Workload workload : results.workloads()) {
            text.append("| ").append(workload.label()).append(" | ").append(Cells.unit(workload));
            for (Contender contender : contenders) {
                text.append(" | ").append(Cells.figure(workload, results.series(workload, contender)));
            }
            text.append(" | ").append(Cells.ratio(results.ratio(workload))).append(" |\n");
        }
        return text.toString();
    }

    private static String whereAPeerIsBetter(Results results) {
        String better = results.workloads().stream()
                .flatMap(workload -> IntStream.range(0, workload.figures().size())
                        .mapToObj(figure -> whoIsAhead(results, workload, figure)))
                .collect(Collectors.joining());
        return better.isEmpty() ? "In none of these workloads.\n" : better;
    }

    /** One line, or none. */
    private static String whoIsAhead(Results results, Workload workload, int figure) {
        List<Series> ahead = results.ahead(workload, figure);
        if (ahead.isEmpty()) {
            return "";
        }
        double own = results.series(workload, Contender.TREADLE).orElseThrow().median(figure);
        List<String> names = workload.figures();
        return "- " + workload.label() + (names.size() == 1 ? "" : ", " + names.get(figure)) + ": "
                + ahead.stream()
                        .map(peer -> peer.contender() + " " + Cells.number(peer.median(figure) / own))
                        .collect(Collectors.joining(", "))
                + ".\n";
    }

    private static String besides(Results other) {
        Environment where = other.environment();
        String missing = missing(other);
        return String.format(
                Locale.ROOT,
                """

                ## On JDK %s

                %s, %s, %d processors, load %.2f, flags `%s`, %d workers, %d JVMs for each figure.

                %s
                Where a peer is better, and what it takes, as a share of what Treadle takes:

                %s%s""",
                where.jdk(),
                where.date(),
                where.cpu(),
                where.processors(),
                where.load(),
                String.join(" ", where.flags()),
                where.workers(),
                where.forks(),
                table(other),
                whereAPeerIsBetter(other),
                missing.isEmpty() ? "" : "\nFigures that are missing:\n\n" + missing);
    }

    private static String scaling(List<Lane> lanes) {
        if (lanes.isEmpty()) {
            return "";
        }
        return String.format(Locale.ROOT, """

                ## With more workers

                Treadle alone, %d JVMs for each figure. The last column says how many times as much one worker takes as two. With
                more workers than processors they take turns on these.

                %s""", lanes.get(0).series().forks().size(), LaneTable.markdown(lanes));
    }

    /** A line for each reason why a contender has no figure. */
    private static String missing(Results results) {
        var workloads = new LinkedHashMap<String, String>();
        results.series().stream()
                .filter(series -> series.trouble().isPresent())
                .forEach(series -> workloads.merge(
                        series.contender() + ": " + note(series),
                        series.workload(),
                        (before, more) -> before + ", " + more));
        return workloads.entrySet().stream()
                .map(entry -> "- " + entry.getKey() + " (" + entry.getValue() + ").\n")
                .collect(Collectors.joining());
    }

    private static String note(Series series) {
        String note = series.trouble().orElseThrow().note();
        return note == null ? "no figure" : note.lines().findFirst().orElse("no figure");
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}

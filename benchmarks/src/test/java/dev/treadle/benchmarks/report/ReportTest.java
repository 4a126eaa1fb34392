// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.Environment;
import dev.treadle.benchmarks.run.ForkResult;
import dev.treadle.benchmarks.run.ForkResult.Status;
import dev.treadle.benchmarks.run.Json;
import dev.treadle.benchmarks.run.Lane;
import dev.treadle.benchmarks.run.Results;
import dev.treadle.benchmarks.run.Series;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir
    Path temp;

    private static Environment environment(boolean quick) {
        return new Environment(
                "2026-01-02T03:04:05Z", "Some CPU", 2, "Linux", "25, Somebody", List.of("-Xmx1g"), 2, 3, quick, 0.5);
    }

    private static Series series(Workload workload, Contender contender, double othersShare, double... figures) {
        return new Series(
                workload.label(),
                contender.label(),
                Arrays.stream(figures)
                        .mapToObj(figure -> new ForkResult(Status.OK, List.of(figure), 5, othersShare, null))
                        .toList());
    }

    private static Series latencies(Contender contender, double p50, double p99, double p999) {
        var first = new ForkResult(Status.OK, List.of(p50, p99, p999), 1, 0, null);
        var second = new ForkResult(Status.OK, List.of(p50, 2 * p99, p999), 1, 0, null);
        return new Series(Workload.WAKE_LATENCY.label(), contender.label(), List.of(first, second));
    }

    private static Series without(Workload workload, Contender contender, Status status, String note) {
        return new Series(workload.label(), contender.label(), List.of(ForkResult.without(status, note)));
    }

    private static Results results(boolean quick) {
        return new Results(
                environment(quick),
                List.of(
                        series(Workload.PINGPONG, Contender.TREADLE, 0, 20, 25, 30),
                        series(Workload.PINGPONG, Contender.FJ, 0.2, 100, 100, 130),
                        series(Workload.PINGPONG, Contender.KOTLIN, 0, 200, 200, 200),
                        series(Workload.BIG, Contender.TREADLE, 0, 50, 50, 50),
                        series(Workload.BIG, Contender.FJ, 0, 40, 40, 40),
                        without(Workload.BIG, Contender.KOTLIN, Status.FAILED, "pongs was 1, must be 2"),
                        series(Workload.FAIRNESS, Contender.TREADLE, 0, 1.5, 1.5, 1.5),
                        without(Workload.FAIRNESS, Contender.FJ, Status.STARVED, "1000 of 1000 starved for 5000 ms"),
                        without(Workload.FAIRNESS, Contender.KOTLIN, Status.UNABLE, "not today"),
                        latencies(Contender.TREADLE, 4, 20, 90),
                        latencies(Contender.FJ, 5, 10, 90),
                        latencies(Contender.KOTLIN, 3, 15, 100)),
                List.of(
                        new Lane(1, series(Workload.BIG, Contender.TREADLE, 0, 90, 90, 90)),
                        new Lane(2, series(Workload.BIG, Contender.TREADLE, 0, 50, 50, 50))));
    }

    @Test
    void resultsOfBeforeThereWereLanesAreRead() throws Exception {
        Path file = temp.resolve("results.json");
        Json.write(file, results(false));
        String old = Files.readString(file).replaceFirst("(?s),\\s*\"lanes\" : \\[.*\\]\\s*\\}\\s*$", "}");
        assertThat(old).doesNotContain("lanes");
        Files.writeString(file, old);

        assertThat(Json.read(file)).isEqualTo(results(false).withLanes(List.of()));
    }

    @Test
    void lanesHaveTheGainOfASecondWorker() {
        assertThat(TextTable.of(results(false).lanes()))
                .containsPattern("workload +unit +1 worker +2 workers +1 / 2")
                .containsPattern("big +ns per message +90\\.0 ±0% +50\\.0 ±0% +1\\.80");
        assertThat(MarkdownReport.page(results(false), List.of()))
                .contains("| big | ns per message | 90.0 ±0% | 50.0 ±0% | 1.80 |");
        assertThat(MarkdownReport.page(results(false).withLanes(List.of()), List.of()))
                .doesNotContain("With more workers");
    }

    @Test
    void aPageSaysWhatWasMeasuredWithAnotherNumberOfJvms() {
        assertThat(MarkdownReport.page(results(false), List.of()))
                .contains("| 2 workers each, 3 JVMs for each figure (wake-latency 2), in alternation |");
    }

    @Test
    void resultsSurviveTheFile() throws Exception {
        Path file = temp.resolve("results.json");

        Json.write(file, results(false));

        assertThat(Json.read(file)).isEqualTo(results(false));
    }

    @Test
    void theTableHasMediansSpreadRatioAndWhatIsMissing() {
        String table = TextTable.of(results(false));

        assertThat(table)
                .containsPattern("pingpong +ns per message +25\\.0 ±20% +200 ±0% +100 ±15%\\* +4\\.00")
                .containsPattern("big +ns per message +50\\.0 ±0% +failed +40\\.0 ±0% +0\\.80")
                .containsPattern("fairness +ms +1\\.50 ±0% +- +starves +-")
                .contains("* other processes had more than 5 % of the CPU time")
                .contains("kotlin on big: pongs was 1, must be 2")
                .contains("fj on fairness: 1000 of 1000 starved");
        assertThat(TextTable.head(environment(true))).contains("Some CPU, 2 processors", "-Xmx1g", "quick");
    }

    @Test
    void thePageSaysWhereAPeerIsBetterAndHowToRepeatIt() throws Exception {
        Path page = MarkdownReport.write(results(false), List.of(), temp);

        assertThat(Files.readString(page))
                .contains("| pingpong | ns per message | 25.0 ±20% | 200 ±0% | 100 ±15%* | 4.00 |")
                .contains("| load | 0.50 in the minute before |")
                .contains("- big: fj 0.80.\n")
                .contains("- wake-latency, p50 us: kotlin 0.75.\n- wake-latency, p99 us: fj 0.50, kotlin 0.75.\n")
                .doesNotContain("- pingpong: ", "- wake-latency, p99.9")
                .contains("- fj: 1000 of 1000 starved for 5000 ms (fairness).\n");
        for (Workload workload : results(false).workloads()) {
            Path chart = temp.resolve("benchmarks").resolve(workload.label() + ".svg");
            assertThat(Files.readString(page)).contains("(benchmarks/" + workload.label() + ".svg)");
            var svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(chart.toFile());
            assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(3);
            assertThat(Files.readString(chart)).contains("prefers-color-scheme: dark");
        }
    }

    @Test
    void eachFigureHasItsSpread() {
        assertThat(MarkdownReport.page(results(false), List.of()))
                .contains("| 4.00 ±0% / 30.0 ±33% / 90.0 ±0% | 3.00 ±0% / 22.5 ±33% / 100 ±0% |");
    }

    @Test
    void whoeverStarvedBesideOthersHasAStar() {
        var starved = new Series(
                Workload.FAIRNESS.label(),
                Contender.FJ.label(),
                List.of(ForkResult.without(Status.STARVED, 0.2, "all starved")));

        assertThat(Cells.figure(Workload.FAIRNESS, Optional.of(starved))).isEqualTo("starves*");
    }

    @Test
    void reasonsAreNamedOnceForAllWorkloads() {
        var results = new Results(
                environment(false),
                List.of(
                        without(Workload.BIG, Contender.VT, Status.UNABLE, "needs a newer JDK"),
                        without(Workload.RING, Contender.VT, Status.UNABLE, "needs a newer JDK")),
                List.of());

        assertThat(MarkdownReport.page(results, List.of())).contains("- vt: needs a newer JDK (big, ring).\n");
    }

    @Test
    void theCommandsAreThoseThatGaveTheResults() {
        assertThat(RepeatCommands.of(results(false), List.of(results(false).withLanes(List.of()))))
                .isEqualTo("""
                        ./treadle bench pingpong big fairness wake-latency --peers kotlin,fj --forks 3 --json all.json
                        ./treadle bench big --lanes 1,2 --forks 3 --json all.json
                        ./treadle bench pingpong big fairness wake-latency --peers kotlin,fj --forks 3 --json other.json --jdk HOME
                        ./treadle bench --report --json all.json --also other.json
                        """);
    }

    @Test
    void resultsOfAnotherJdkHaveATableOfTheirOwn() {
        String page = MarkdownReport.page(results(false).withLanes(List.of()), List.of(results(false)));

        assertThat(page)
                .containsSubsequence(
                        "| big | ns per message | 50.0",
                        "## Where a peer is better",
                        "## On JDK 25, Somebody",
                        "2026-01-02T03:04:05Z, Some CPU, 2 processors, load 0.50, flags `-Xmx1g`, 2 workers, 3 JVMs",
                        "| big | ns per message | 50.0",
                        "- big: fj 0.80.",
                        "- fj: 1000 of 1000 starved for 5000 ms (fairness).",
                        "## How to repeat it");
    }

    @Test
    void theLongestBarIsTheGreatestFigure() {
        String chart = BarChart.svg(results(false), Workload.PINGPONG);

        assertThat(chart).containsSubsequence("class=\"own\"", "width=\"47.5\"", "width=\"380.0\"", "width=\"190.0\"");
    }

    @Test
    void aQuickRunIsNoReport() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MarkdownReport.write(results(true), List.of(), temp))
                .withMessageContaining("without --quick");
        assertThat(temp.resolve("benchmarks.md")).doesNotExist();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.benchmarks.run.Environment;
import dev.treadle.benchmarks.run.Json;
import dev.treadle.benchmarks.run.Results;
import dev.treadle.cli.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
    @TempDir
    Path temp;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
    }

    @Test
    void whenHelpIsAskedFor_thenItFitsATerminalAndHasExamples() {
        assertThat(run("--help")).isEqualTo(ExitCode.OK);

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .startsWith("Usage: treadle bench")
                .contains("more than 5 % of")
                .contains(
                        "Examples:",
                        "--peers",
                        "--forks",
                        "--workers",
                        "--quick",
                        "--json",
                        "--jdk",
                        "--list",
                        "--jmh");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void whenTheListIsAskedFor_thenEachWorkloadAndPeerIsInIt() {
        assertThat(run("--list")).isEqualTo(ExitCode.OK);

        for (Workload workload : Workload.values()) {
            assertThat(out.toString()).contains("  " + workload.label() + " ");
        }
        for (Contender peer : Contender.peers()) {
            assertThat(out.toString()).contains("  " + peer.label() + " ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pingpang | workload was 'pingpang', must be one of pingpong, pingpong-pairs | --list",
                "--peers fj,acca | --peers was 'acca', must be some of pekko,pekko-typed,kotlin,vt,vertx,fj | leave it out",
                "--peers treadle | --peers was 'treadle', must be some of pekko | leave it out",
                "--forks 0 | --forks was 0, must be 1 to 100 | leave it out",
                "--forks 101 | --forks was 101, must be 1 to 100 | leave it out",
                "--workers 0 | --workers was 0, must be 1 to 1024 | leave it out",
                "--crowd 0 | --crowd was 0, must be 1 to 100000000 | a million",
                "--jdk nowhere | --jdk was nowhere, which holds no JDK | give the folder",
                "--json no/such/folder.json | --json was no/such/folder.json, must be in a folder | make that folder",
                "--report | --report needs the results of a full run | --json FILE"
            })
    void whenAnArgumentIsWrong_thenItSaysWhichWhatIsAllowedAndWhatToDo(String args, String what, String remedy) {
        assertThat(run(args.split(" "))).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString())
                .contains(what, remedy, "Try: treadle bench --help")
                .doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void whenACrowdIsAskedFor_thenItTellsTimeAndMemory() {
        assertThat(run("--crowd", "20000", "--workers", "2")).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .contains("20,000 processes, workers: 2, a heap of at most ")
                .containsPattern(
                        "20,000 processes: started in .* s, one message each in .* s, ended in .* s; \\d+ bytes each")
                .containsPattern("\\d+ full collections");
    }

    @Test
    void whenThereAreNoResults_thenTheReportSaysHowToGetThem() {
        assertThat(run("--report", "--json", temp.resolve("none.json").toString()))
                .isEqualTo(ExitCode.FAILURE);

        assertThat(err.toString()).contains("none.json", "run treadle bench --json FILE first");
    }

    @Test
    void whenTheFileHoldsSomethingElse_thenTheReportSaysSo() throws Exception {
        Path file = Files.writeString(temp.resolve("else.json"), "[1, 2]");

        assertThat(run("--report", "--json", file.toString())).isEqualTo(ExitCode.FAILURE);

        assertThat(err.toString()).contains("else.json holds something else than results");
    }

    @Test
    void whenTheFileIsOfAnotherJdk_thenLanesAreNotAddedToIt() throws Exception {
        Path file = temp.resolve("other.json");
        var elsewhere = new Environment("today", "a CPU", 2, "an OS", "8, Nobody", List.of(), 2, 1, false, 0);
        Json.write(file, new Results(elsewhere, List.of(), List.of()));
        String before = Files.readString(file);

        assertThat(run("big", "--lanes", "1", "--json", file.toString())).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString())
                .contains("--json was " + file, "holds the results of JDK 8, Nobody", "name another file");
        assertThat(Files.readString(file)).isEqualTo(before);
    }

    @Test
    void whenNoMicroBenchmarkHasThatName_thenItSaysSo() {
        assertThat(run("--jmh", "noSuchBenchmark")).isEqualTo(ExitCode.FAILURE);

        assertThat(err.toString()).contains("--jmh was 'noSuchBenchmark', which is in no benchmark's name");
    }

    @Test
    void whenTheCostOfLookingIsMeasured_thenBothKindsOfWindowsRan() {
        var result = LookingCost.measure(1_000, Duration.ofMillis(5), 20);

        assertThat(result.looks()).isPositive();
        assertThat(result.upper()).as("steps went on").isPositive();
        assertThat(result.median()).isBetween(result.lower(), result.upper());
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.cli.CapturedRun;
import dev.treadle.cli.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoCommandTest {
    @Nested
    class GivenAShortTime {
        @Test
        void whenItIsOver_thenTheReportIsPrintedAndNoThreadIsLeft() {
            Set<Thread> before = Thread.getAllStackTraces().keySet();

            CapturedRun run = CapturedRun.of(
                    "demo", "--for", "300ms", "--processes", "500", "--workers", "2", "--http-port", "0");

            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
            assertThat(run.out().lines().findFirst()).contains("500 processes on 2 workers for 0.3 s.");
            assertThat(run.out())
                    .contains("steps", "messages", "commands", "steals", "parks", "dead letters", "delay p50")
                    .contains("Look at it: http://127.0.0.1:")
                    .contains("readings", "rows", "replies", "A device over HTTP: curl http://127.0.0.1:")
                    .containsPattern("Shutdown: [0-9]+ ended by themselves, 0 were waiting, 0 ended by force");
            assertThat(run.err()).isEmpty();
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(threadsOfTreadle(before)).isEmpty());
        }

        @Test
        void whenTheTimeIsLongerThanTheInterval_thenStatusIsShownBetween() {
            CapturedRun run = CapturedRun.of("demo", "--for", "3s", "--processes", "50", "--workers", "1");

            assertThat(run.out().lines().filter(line -> line.contains("processes: ")))
                    .hasSizeGreaterThan(1);
        }

        @Test
        void whenThePortIsTaken_thenAnotherIsUsedAndSaid() throws IOException {
            try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                CapturedRun run = CapturedRun.of(
                        "demo", "--for", "1ms", "--processes", "50", "--http-port", "" + taken.getLocalPort());

                assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
                assertThat(run.out()).contains("(port " + taken.getLocalPort() + " is taken)");
            }
        }

        @Test
        void whenThePortOfThePageIsTaken_thenItSaysWhatToDo() throws IOException {
            try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                CapturedRun run = CapturedRun.of(
                        "demo", "--for", "1ms", "--processes", "50", "--page-port", "" + taken.getLocalPort());

                assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
                assertThat(run.err()).contains("port " + taken.getLocalPort(), "leave the port unset");
            }
        }

        @Test
        void whenTheThreadIsInterrupted_thenItEndsWithTheReport() {
            Thread.currentThread().interrupt();

            CapturedRun run = CapturedRun.of("demo", "--processes", "50");

            assertThat(Thread.interrupted()).isTrue();
            assertThat(run.out()).contains("Shutdown: ");
        }
    }

    @Nested
    class GivenAWrongOption {
        @ParameterizedTest
        @ValueSource(strings = {"9", "-1", "10000001"})
        void whenProcessesAreOutOfRange_thenTheRangeIsNamed(String processes) {
            CapturedRun run = CapturedRun.of("demo", "--for", "1ms", "--processes=" + processes);

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err())
                    .startsWith("treadle: --processes was " + processes
                            + ", must be 10 to 10000000: leave it out to use 100000")
                    .contains("Try: treadle demo --help");
        }

        @ParameterizedTest
        @ValueSource(strings = {"-1", "65536"})
        void whenThePortIsOutOfRange_thenTheRangeIsNamed(String port) {
            CapturedRun run = CapturedRun.of("demo", "--for", "1ms", "--http-port=" + port);

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("--http-port was " + port + ", must be 0 to 65535");
        }

        @ParameterizedTest
        @ValueSource(strings = {"0", "-2", "1025"})
        void whenWorkersAreOutOfRange_thenTheRangeIsNamedAndNoThreadIsLeft(String workers) {
            Set<Thread> before = Thread.getAllStackTraces().keySet();

            CapturedRun run = CapturedRun.of("demo", "--for", "1ms", "--workers=" + workers);

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("workers was " + workers + ", must be 1 to 1024");
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(threadsOfTreadle(before)).isEmpty());
        }

        @ParameterizedTest
        @CsvSource({"--for, 10x", "--processes, many", "--workers, two", "--seed, x"})
        void whenAValueCannotBeRead_thenOptionAndValueAreNamed(String option, String value) {
            CapturedRun run = CapturedRun.of("demo", option, value);

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err())
                    .contains("Invalid value for option '" + option + "'")
                    .contains("'" + value + "'");
            assertThat(run.out()).isEmpty();
        }
    }

    private static Set<String> threadsOfTreadle(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith("treadle-"))
                .collect(Collectors.toSet());
    }
}

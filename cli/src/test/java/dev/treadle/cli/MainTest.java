// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class MainTest {
    static Stream<String> commands() {
        return Main.commandLine().getSubcommands().keySet().stream();
    }

    @Nested
    class GivenHelp {
        @Test
        void whenAskedForAll_thenEachCommandIsNamed() {
            CapturedRun run = CapturedRun.of("--help");

            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(run.out()).contains("Usage: treadle", "Examples:", "Exit codes:");
            assertThat(commands())
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(run.out()).containsPattern("\\R  " + name + "\\b"));
            assertThat(run.err()).isEmpty();
        }

        @ParameterizedTest
        @MethodSource("dev.treadle.cli.MainTest#commands")
        void whenAskedForOneCommand_thenItSaysWhatItDoesWithAnExample(String name) {
            CapturedRun run = CapturedRun.of(name, "--help");

            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(run.out())
                    .startsWith("Usage: treadle " + name)
                    .containsPattern("Examples?:\\R  treadle " + name)
                    .contains("--help", "--debug");
            assertThat(run.out().lines())
                    .as("fits into a terminal")
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        }
    }

    @Nested
    class GivenWrongUsage {
        @Test
        void whenNoCommandIsNamed_thenItSaysSo() {
            CapturedRun run = CapturedRun.of();

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("the command is missing").contains("Try: treadle --help");
            assertThat(run.out()).isEmpty();
        }

        @Test
        void whenCommandIsMisspelt_thenTheRightOneIsProposed() {
            CapturedRun run = CapturedRun.of("dmo");

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("'dmo'").contains("treadle demo").doesNotContain("\tat ");
        }

        @Test
        void whenOptionIsUnknown_thenTheHelpOfThatCommandIsNamed() {
            CapturedRun run = CapturedRun.of("version", "--loud");

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("'--loud'").contains("Try: treadle version --help");
        }
    }

    @Nested
    class GivenCommandThatThrows {
        private final CommandLine line = Main.commandLine();

        @Test
        void whenRun_thenOneSentenceAndNoStack() {
            line.addSubcommand(new Boom("the disk is full: delete something"));

            CapturedRun run = CapturedRun.of(line, "boom");

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.err())
                    .startsWith("treadle: the disk is full: delete something")
                    .contains("--debug")
                    .doesNotContain("\tat ");
        }

        @Test
        void whenItHasNoMessage_thenItsTypeIsNamed() {
            line.addSubcommand(new Boom(null));

            assertThat(CapturedRun.of(line, "boom").err()).startsWith("treadle: IllegalStateException");
        }

        @Test
        void whenRunWithDebug_thenTheStackIsThere() {
            line.addSubcommand(new Boom("the disk is full"));

            CapturedRun run = CapturedRun.of(line, "--debug", "boom");

            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.err())
                    .contains("IllegalStateException: the disk is full")
                    .contains("\tat ");
        }
    }

    @Test
    void whenAskedForTheVersion_thenCommandAndOptionSayTheSame() {
        CapturedRun command = CapturedRun.of("version");
        CapturedRun option = CapturedRun.of("--version");

        assertThat(command.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(command.out()).startsWith("treadle ").contains(System.getProperty("java.version"));
        assertThat(option.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(option.out()).isEqualTo(command.out());
    }

    @Command(name = "boom")
    private record Boom(String message) implements Callable<Integer> {
        @Override
        public Integer call() {
            throw new IllegalStateException(message);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.CommandOverloadException;
import dev.treadle.CommandTimeoutException;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.ShutdownReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs that the tests run are those of Unix")
class RunProgramTest {
    /** Has a child and a grandchild, writes their addresses to a file, and waits for ever. */
    private static final String FAMILY =
            "sh -c 'echo $$ >> \"$1\"; sleep 600 & echo $! >> \"$1\"; wait' sh \"$1\" & wait";

    @TempDir
    Path temp;

    private final Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());

    @AfterEach
    void nothingIsLeft() {
        Soon.until(
                "no program and no thread is left",
                () -> ProcessHandle.current().children().allMatch(before::contains)
                        && TestThreads.named("treadle-main-blocking-").isEmpty());
    }

    private static Scheduler start(UnaryOperator<ProgramHandlers> settings) {
        return LoneCommand.scheduler(
                registry -> settings.apply(ProgramHandlers.withDefaults()).register(registry));
    }

    private static Scheduler start() {
        return start(settings -> settings);
    }

    private RunProgram family() {
        return RunProgram.of("sh", "-c", FAMILY, "sh", temp.resolve("family").toString());
    }

    /** Waits until child and grandchild are there. */
    private List<ProcessHandle> familyMembers() {
        Path file = temp.resolve("family");
        Soon.until(() -> Files.exists(file) && Files.readAllLines(file).size() == 2);
        try {
            return Files.readAllLines(file).stream()
                    .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitDead(List<ProcessHandle> members) {
        Soon.until("all are killed", () -> members.stream().noneMatch(RunProgramTest::runs));
    }

    /** One that is dead, and that nobody has waited for, still has an entry. */
    private static boolean runs(ProcessHandle program) {
        try {
            return program.isAlive()
                    && !Files.readString(Path.of("/proc/" + program.pid() + "/stat"))
                            .contains(") Z ");
        } catch (IOException e) {
            return program.isAlive() && !Files.exists(Path.of("/proc/self"));
        }
    }

    @Test
    void argumentsReachTheProgramAsTheyAre() {
        try (Scheduler scheduler = start()) {
            ProgramResult result = LoneCommand.run(
                    scheduler,
                    RunProgram.of("printf", "%s|", "two words", "$HOME", "; echo x", "*", "\"", ""),
                    ProgramResult.class);

            assertThat(result.output().text()).isEqualTo("two words|$HOME|; echo x|*|\"||");
            assertThat(result.isSuccess()).isTrue();
        }
    }

    @Test
    void environmentFolderInputErrorsAndExitCodeAreThere() throws IOException {
        try (Scheduler scheduler = start()) {
            ProgramResult result = LoneCommand.run(
                    scheduler,
                    RunProgram.of("sh", "-c", "echo $COLOUR; pwd; cat; echo oh >&2; exit 3")
                            .withEnvironment("COLOUR", "red")
                            .withFolder(temp)
                            .withInput(Bytes.of("from outside")),
                    ProgramResult.class);

            assertThat(result.output().text()).isEqualTo("red\n" + temp.toRealPath() + "\nfrom outside");
            assertThat(result.errors().text()).isEqualTo("oh\n");
            assertThat(result.exitCode()).isEqualTo(3);
            assertThat(result.isSuccess()).isFalse();
        }
    }

    @Test
    void muchGoesInAndOut() {
        Bytes much = Bytes.of("0123456789abcdef".repeat(1 << 15));
        try (Scheduler scheduler = start()) {
            assertThat(LoneCommand.run(scheduler, RunProgram.of("cat").withInput(much), ProgramResult.class)
                            .output())
                    .isEqualTo(much);
        }
    }

    @Test
    void aProgramNeedNotReadItsInput() {
        Bytes much = Bytes.of("x".repeat(1 << 20));
        try (Scheduler scheduler = start()) {
            assertThat(LoneCommand.run(scheduler, RunProgram.of("true").withInput(much), ProgramResult.class)
                            .exitCode())
                    .isZero();
        }
    }

    /** What it leaves in the background holds its output open; the program has ended all the same. */
    @Test
    void whatAProgramLeavesBehindIsNotWaitedFor() {
        try (Scheduler scheduler = start()) {
            ProgramResult result =
                    LoneCommand.run(scheduler, RunProgram.of("sh", "-c", "sleep 600 & echo $!"), ProgramResult.class);
            long left = Long.parseLong(result.output().text().strip());

            assertThat(ProcessHandle.of(left).orElseThrow().destroyForcibly())
                    .as("it runs on, as documented")
                    .isTrue();
        }
    }

    @Test
    void whatCannotBeStartedIsSaidSo() {
        try (Scheduler scheduler = start()) {
            var error = LoneCommand.fail(
                    scheduler, RunProgram.of("no-such-program-here", "secret"), ProgramFailedException.class);

            assertThat(error.reason()).isEqualTo(ProgramFailedException.Reason.NOT_STARTED);
            assertThat(error)
                    .hasMessageContainingAll("no-such-program-here", "must be an executable file", "check its name")
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void outputAtTheLimitPassesAndOneByteMoreDoesNot() {
        try (Scheduler scheduler = start(settings -> settings.outputMax(1_000))) {
            assertThat(LoneCommand.run(scheduler, RunProgram.of("head", "-c", "1000", "/dev/zero"), ProgramResult.class)
                            .output()
                            .size())
                    .isEqualTo(1_000);
            var error = LoneCommand.fail(
                    scheduler, RunProgram.of("head", "-c", "1001", "/dev/zero"), ProgramFailedException.class);

            assertThat(error.reason()).isEqualTo(ProgramFailedException.Reason.TOO_LARGE);
            assertThat(error).hasMessageContainingAll("1000 bytes of output", "outputMax", "raise it");
            assertThat(error.output().size()).isEqualTo(1_000);
        }
    }

    @Test
    void endlessOutputAndErrorsAreCutOffAndTheProgramKilled() {
        try (Scheduler scheduler = start(settings -> settings.outputMax(100_000))) {
            assertThat(LoneCommand.fail(scheduler, RunProgram.of("yes"), ProgramFailedException.class)
                            .reason())
                    .isEqualTo(ProgramFailedException.Reason.TOO_LARGE);
            assertThat(LoneCommand.fail(scheduler, RunProgram.of("sh", "-c", "yes >&2"), ProgramFailedException.class))
                    .hasMessageContaining("bytes of errors");
        }
    }

    @Nested
    class GivenAProgramWithDescendants {
        @Test
        void whenItRunsTooLong_thenAllAreKilledAndWhatItWroteIsThere() {
            try (Scheduler scheduler = start()) {
                RunProgram program = RunProgram.of(
                                "sh",
                                "-c",
                                "echo begun; " + FAMILY,
                                "sh",
                                temp.resolve("family").toString())
                        .withTimeout(Duration.ofSeconds(5));
                ProcessRef process = LoneCommand.start(scheduler, program);
                List<ProcessHandle> members = familyMembers();
                var error = LoneCommand.error(process, ProgramFailedException.class);

                assertThat(error.reason()).isEqualTo(ProgramFailedException.Reason.TIMEOUT);
                assertThat(error).hasMessageContainingAll("RunProgram[sh", "PT5S", "allow it more time");
                assertThat(error.output().text()).isEqualTo("begun\n");
                assertThat(members).hasSize(2);
                awaitDead(members);
            }
        }

        @Test
        void whenTheProcessIsCancelled_thenAllAreKilledAndTheProcessIsTold() {
            try (Scheduler scheduler = start()) {
                ProcessRef process = LoneCommand.start(scheduler, family());
                List<ProcessHandle> members = familyMembers();
                scheduler.cancel(process.pid(), "enough");

                assertThat(LoneCommand.error(process, CancellationException.class))
                        .hasMessageContaining("RunProgram was stopped");
                awaitDead(members);
            }
        }

        @Test
        void whenTheYieldTimesOut_thenAllAreKilled() {
            try (Scheduler scheduler = start()) {
                ProcessRef process = LoneCommand.start(scheduler, family(), Duration.ofSeconds(5));
                List<ProcessHandle> members = familyMembers();

                assertThat(LoneCommand.error(process, CommandTimeoutException.class))
                        .isNotNull();
                awaitDead(members);
            }
        }

        @Test
        void whenTheProcessEnds_thenAllAreKilled() {
            try (Scheduler scheduler = start()) {
                ProcessRef process = LoneCommand.start(scheduler, family());
                List<ProcessHandle> members = familyMembers();
                scheduler.terminate(process.pid());

                awaitDead(members);
            }
        }

        @Test
        void whenTheSchedulerIsShutDown_thenAllAreKilled() {
            List<ProcessHandle> members;
            try (Scheduler scheduler = start()) {
                LoneCommand.start(scheduler, family());
                members = familyMembers();
            }

            awaitDead(members);
        }

        /** E3: what feeds a program that does not read is waited for as well, and ends with it. */
        @Test
        void whenTheShutdownHasTime_thenNothingOfItIsLeftWhenItReturns() {
            Scheduler scheduler = start();
            LoneCommand.start(scheduler, family().withInput(Bytes.of(new byte[10 << 20])));
            List<ProcessHandle> members = familyMembers();
            ShutdownReport report = scheduler.shutdown(Duration.ofSeconds(30));

            assertThat(report.stuck()).isEmpty();
            Soon.until(() -> TestThreads.named("treadle-main-blocking-").isEmpty());
            awaitDead(members);
        }
    }

    @Test
    void moreThanMayRunAndWaitAreRefused() {
        try (Scheduler scheduler = start(settings -> settings.runningMax(1).waitingMax(0))) {
            LoneCommand.start(scheduler, family());
            familyMembers();

            assertThat(LoneCommand.fail(scheduler, RunProgram.of("true"), CommandOverloadException.class))
                    .hasMessageContainingAll("RunProgram", "1 run and 0 wait");
        }
    }

    @Test
    void whatIsWrongIsRefusedWhereItIsMade() {
        assertThatThrownBy(() -> new RunProgram(List.of(), Map.of(), null, Bytes.EMPTY, null))
                .hasMessageContaining("must begin with the name of a program");
        assertThatThrownBy(() -> RunProgram.of("ls", "a\0b")).hasMessageContaining("character 0");
        assertThatThrownBy(() -> RunProgram.of("ls").withTimeout(Duration.ofSeconds(-1)))
                .hasMessageContaining("timeout of ls was PT-1S");
        assertThatThrownBy(() -> start(settings ->
                        settings.runningMax(0).waitingMax(-1).outputMax(-1).timeout(Duration.ZERO)))
                .hasMessageContainingAll(
                        "runningMax was 0", "waitingMax was -1", "outputMax was -1", "timeout was PT0S");
        assertThat(RunProgram.of("login", "secret")
                        .withEnvironment("KEY", "secret")
                        .withInput(Bytes.of("secret")))
                .asString()
                .contains("login")
                .doesNotContain("secret");
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.treadle.cli.run.Teller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the launcher and the jar as a user does, in a copy of the parts of the repository that they need. The folder has a
 * space in its name, and what stands in for Maven copies the jar: no build runs in the build.
 */
@DisabledOnOs(OS.WINDOWS)
class LauncherIT {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final Path JAR = Path.of("target", "treadle.jar").toAbsolutePath();
    private static final long PATIENCE_SECONDS = 120;

    @TempDir
    Path temp;

    private Path root;
    private Path out;
    private Path err;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void copyRepository() throws IOException {
        root = Files.createDirectories(temp.resolve("a folder")).toRealPath();
        out = temp.resolve("out");
        err = temp.resolve("err");
        Files.copy(REPOSITORY.resolve("treadle"), root.resolve("treadle"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectories(root.resolve("cli/src/main"));
        Files.createDirectories(root.resolve("cli/target"));
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        Files.writeString(root.resolve("cli/src/main/Some.java"), "class Some {}");
        Files.copy(JAR, root.resolve("cli/target/treadle.jar"));
        maven("echo Maven was called with $* from $PWD; cp '" + JAR + "' cli/target/treadle.jar");
    }

    @AfterEach
    void endWhatIsLeft() {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Nested
    class GivenAJarThatIsUpToDate {
        private static final String GRACEFUL = "Shutdown: [0-9]+ ended by themselves, 0 were waiting, 0 ended by force";

        @Test
        void whenTheDemoRunsForASecond_thenItPrintsItsReport() throws Exception {
            int exitCode = run(root, root.resolve("treadle"), "demo", "--for", "1s", "--processes", "1000");

            assertThat(exitCode).as(err()).isEqualTo(ExitCode.OK);
            assertThat(out()).contains("1,000 processes on").containsPattern(GRACEFUL);
            assertThat(err()).isEmpty();
        }

        @Test
        void whenCalledThroughLinksFromAnotherFolder_thenItFindsItsJar() throws Exception {
            Path elsewhere = Files.createDirectories(temp.resolve("else where"));
            Path link = Files.createSymbolicLink(elsewhere.resolve("link 1"), root.resolve("treadle"));
            Files.createSymbolicLink(elsewhere.resolve("link 2"), link.getFileName());

            int exitCode = run(elsewhere, Path.of("./link 2"), "version");

            assertThat(exitCode).as(err()).isEqualTo(ExitCode.OK);
            assertThat(out()).startsWith("treadle ").doesNotContain("(not packaged)");
        }

        @Test
        void whenTheUsageIsWrong_thenTheExitCodeSaysSo() throws Exception {
            int exitCode = run(root, root.resolve("treadle"), "demo", "--for", "two words");

            assertThat(exitCode).isEqualTo(ExitCode.USAGE);
            assertThat(err()).contains("'two words'").doesNotContain("\tat ");
        }

        @Test
        void whenJvmFlagsAreGiven_thenTheJvmGetsThem() throws Exception {
            Map<String, String> flags = Map.of("TREADLE_JAVA_OPTS", "-Xmx64m -showversion");

            int exitCode = run(flags, root, root.resolve("treadle"), "version");

            assertThat(exitCode).as(err()).isEqualTo(ExitCode.OK);
            assertThat(out()).startsWith("treadle ");
            assertThat(err()).as("what -showversion prints").contains("VM");
        }

        @Test
        void whenNobodyReadsTheOutputAnyMore_thenTheDemoEnds() throws Exception {
            Process pipe = start(Map.of(), root, Path.of("sh"), "-c", "./treadle demo --processes 100 | head -n 1");

            assertThat(pipe.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(out().lines()).hasSize(1);
        }

        @Test
        void whenARunFileHasChangedAndSighupComes_thenItIsReadAgain() throws Exception {
            Path classes = Path.of(Teller.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            String file = "class-path: " + classes + "\nservices:\n  a:\n    process: " + Teller.class.getName() + "\n";
            Path path = Files.writeString(temp.resolve("app.yaml"), file);
            Process run = start(Map.of(), root, root.resolve("treadle"), "run", path.toString());
            await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> out().contains("Ctrl-C ends it"));
            assumeTrue(out().contains("kill -HUP reloads it"), "SIGHUP is ignored here, as under nohup");

            Files.writeString(path, file + "    restart: transient\n");
            signal(run, "HUP");

            await().atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                    .until(() -> out().contains("reloaded: 1 stopped, 1 started, 0 left alone"));
            signal(run, "TERM");
            assertThat(run.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(run.exitValue()).as(err()).isEqualTo(143);
            assertThat(out()).contains("stopped a", "ended");
        }

        /** Also shows that the launcher is replaced by the JVM: the signal goes to the process that was started. */
        @ParameterizedTest
        @CsvSource({"INT, 130", "TERM, 143"})
        void whenASignalComes_thenTheDemoEndsInOrderWithItsReport(String signal, int expected) throws Exception {
            assumeThat(isIgnored(signal)).as("SIG%s is ignored here", signal).isFalse();
            Process demo = start(Map.of(), root, root.resolve("treadle"), "demo", "--processes", "1000");
            await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> out().contains("processes: "));

            signal(demo, signal);

            assertThat(demo.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(demo.exitValue()).as(err()).isEqualTo(expected);
            assertThat(out()).contains("In ").containsPattern(GRACEFUL);
        }
    }

    @Nested
    class GivenAnotherJava {
        @Test
        void whenJavaHomeIsTooOld_thenItSaysSoAndLooksElsewhere() throws Exception {
            Path old = Files.createDirectories(temp.resolve("old java"));
            Files.writeString(old.resolve("release"), "JAVA_VERSION=\"1.8.0_392\"\n");
            script(old.resolve("bin/java"), "echo this java is too old; exit 7");

            int exitCode = run(Map.of("JAVA_HOME", old.toString()), root, root.resolve("treadle"), "version");

            assertThat(exitCode).as(err()).isEqualTo(ExitCode.OK);
            assertThat(err()).contains("JAVA_HOME is " + old + ", must be a JDK 17 or newer");
            assertThat(out()).startsWith("treadle ");
        }

        @Test
        void whenJavaHomeIsUnset_thenTheJavaOnThePathIsUsed() throws Exception {
            Path home = Path.of(System.getProperty("java.home"));
            String path = home.resolve("bin") + ":" + System.getenv("PATH");

            int exitCode = run(Map.of("JAVA_HOME", "", "PATH", path), root, root.resolve("treadle"), "version");

            assertThat(exitCode).as(err()).isEqualTo(ExitCode.OK);
            assertThat(out()).contains("java    " + System.getProperty("java.version"));
        }
    }

    @Nested
    class GivenAJarThatIsMissingOrOld {
        @Test
        void whenItIsMissing_thenItIsBuiltFirst() throws Exception {
            Files.delete(root.resolve("cli/target/treadle.jar"));

            int exitCode = run(temp, root.resolve("treadle"), "version");

            assertThat(exitCode).as(err()).isEqualTo(ExitCode.OK);
            assertThat(out())
                    .as("what the build says does not mix with the output")
                    .startsWith("treadle ");
            assertThat(err()).contains("treadle: building", "treadle: built in ");
            assertThat(buildLog())
                    .contains("Maven was called with -pl cli -am package")
                    .contains("from " + root);
        }

        @Test
        void whenASourceIsNewer_thenItIsBuiltAgain() throws Exception {
            touch(root.resolve("cli/src/main/Some.java"), Instant.now().plusSeconds(5));

            assertThat(run(root, root.resolve("treadle"), "version")).isEqualTo(ExitCode.OK);

            assertThat(err()).contains("treadle: built in ");
        }

        @Test
        void whenItMustNotBeBuilt_thenItIsRunAsItIs() throws Exception {
            touch(root.resolve("pom.xml"), Instant.now().plusSeconds(5));
            Map<String, String> never = Map.of("TREADLE_BUILD", "never");

            assertThat(run(never, root, root.resolve("treadle"), "version")).isEqualTo(ExitCode.OK);
            assertThat(err()).isEmpty();

            Files.delete(root.resolve("cli/target/treadle.jar"));
            assertThat(run(never, root, root.resolve("treadle"), "version")).isEqualTo(ExitCode.FAILURE);
            assertThat(err()).contains("treadle.jar is missing and TREADLE_BUILD is never: unset TREADLE_BUILD");
        }

        @Test
        void whenTheBuildFails_thenItsOutputIsShownAndKeptAndNothingIsRun() throws Exception {
            touch(root.resolve("pom.xml"), Instant.now().plusSeconds(5));
            maven("echo '[ERROR] Some.java:[1,1] no such thing'; exit 1");

            int exitCode = run(root, root.resolve("treadle"), "version");

            assertThat(exitCode).isEqualTo(ExitCode.FAILURE);
            assertThat(err()).contains("[ERROR] Some.java:[1,1] no such thing", "treadle: the build failed");
            assertThat(out()).isEmpty();
            assertThat(buildLog()).contains("no such thing");
            assertThat(root.resolve("cli/target/treadle.jar"))
                    .as("or the next call would run what is old")
                    .doesNotExist();
        }
    }

    /** Commands that need more than cli may have are in jars of their own. */
    @Nested
    class GivenACommandOfAnotherModule {
        @Test
        void whenItIsRun_thenThatModuleIsBuiltAndItsJarGetsTheArgumentsThatFollow() throws Exception {
            maven("echo Maven was called with $*; mkdir -p benchmarks/target; cp '" + JAR
                    + "' benchmarks/target/treadle-benchmarks.jar");

            // The stand-in for the other jar is cli's: a command of cli shows that the word before it was taken off.
            int exitCode = run(root, root.resolve("treadle"), "bench", "version");

            assertThat(exitCode).as(err()).isEqualTo(ExitCode.OK);
            assertThat(out()).startsWith("treadle ");
            assertThat(buildLog()).contains("Maven was called with -pl benchmarks -am package");
        }

        @Test
        void whenItsSourceIsNewer_thenOnlyItsOwnJarIsOld() throws Exception {
            Path source = Files.createDirectories(root.resolve("benchmarks/src/main"));
            touch(source, Instant.now().plusSeconds(5));

            assertThat(run(root, root.resolve("treadle"), "version")).isEqualTo(ExitCode.OK);

            assertThat(err()).as("cli does not use it").isEmpty();

            Files.createDirectories(root.resolve("benchmarks/target"));
            Files.copy(JAR, root.resolve("benchmarks/target/treadle-benchmarks.jar"));
            maven("cp '" + JAR + "' benchmarks/target/treadle-benchmarks.jar");
            assertThat(run(root, root.resolve("treadle"), "bench", "version")).isEqualTo(ExitCode.OK);
            assertThat(err()).contains("treadle: built in ");
        }

        @Test
        void whenHelpIsAskedFor_thenItIsListed() throws Exception {
            assertThat(run(root, root.resolve("treadle"), "--help")).isEqualTo(ExitCode.OK);

            assertThat(out()).containsPattern("\\R  bench +Measures");
        }

        @Test
        void whenItComesAfterAnOption_thenItSaysHowToCallIt() throws Exception {
            assertThat(run(root, root.resolve("treadle"), "--debug", "bench")).isEqualTo(ExitCode.FAILURE);

            assertThat(err()).contains("run ./treadle bench in a checkout, with the command first");
        }
    }

    private String out() throws IOException {
        return Files.readString(out);
    }

    private String err() throws IOException {
        return Files.readString(err);
    }

    private String buildLog() throws IOException {
        return Files.readString(root.resolve("target/treadle-build.log"));
    }

    /** What stands in for Maven. */
    private void maven(String commands) throws IOException {
        script(root.resolve("mvnw"), commands);
    }

    private static void script(Path file, String commands) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + commands + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void touch(Path file, Instant time) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(time));
    }

    private int run(Path folder, Path launcher, String... args) throws Exception {
        return run(Map.of(), folder, launcher, args);
    }

    private int run(Map<String, String> environment, Path folder, Path launcher, String... args) throws Exception {
        Process process = start(environment, folder, launcher, args);
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("ends within %d s; so far: %s", PATIENCE_SECONDS, out())
                .isTrue();
        return process.exitValue();
    }

    /** Starts the launcher with the Java that runs this test, unless the environment says otherwise. */
    private Process start(Map<String, String> environment, Path folder, Path launcher, String... args)
            throws IOException {
        var command = new ArrayList<String>(List.of(launcher.toString()));
        command.addAll(List.of(args));
        var builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("TREADLE_") || name.startsWith("JAVA_TOOL"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private static void signal(Process process, String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /** A process started in the background of a shell ignores SIGINT, and so do those that it starts. */
    private static boolean isIgnored(String signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!signal.equals("INT") || !Files.isReadable(status)) {
            return false;
        }
        try (var lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("SigIgn:"))
                    .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).trim(), 16) & 0b10) != 0);
        }
    }
}

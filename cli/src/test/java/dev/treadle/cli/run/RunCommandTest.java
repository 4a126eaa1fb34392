// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.cli.CapturedRun;
import dev.treadle.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
    private static final String TELLER = "dev.treadle.cli.run.Teller";

    @TempDir
    Path folder;

    @Test
    void whenOneProcessIsRun_thenItsResultIsPrinted() throws IOException {
        CapturedRun run = CapturedRun.of("run", jar(), "--process", TELLER, "--method", "main", "end");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).isEqualToIgnoringNewLines("ended with end");
    }

    @Test
    void whenItFails_thenItSaysWhyWithoutAStack() throws IOException {
        CapturedRun run = CapturedRun.of("run", jar(), "--process", TELLER, "refuse");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("it refuses to start").doesNotContain("\tat ");
    }

    @Test
    void whenTheClassIsNotThere_thenItSaysWhereItLooked() throws IOException {
        CapturedRun run = CapturedRun.of("run", jar(), "--process", "com.acme.Nothing");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains("class com.acme.Nothing was not found in [")
                .contains("app.jar");
    }

    @Test
    void whenAJarHasNoProcess_thenItSaysWhatIsMissing() throws IOException {
        CapturedRun run = CapturedRun.of("run", jar());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("a jar needs --process");
    }

    @Test
    void whenTheFileIsNotThere_thenItSaysSo() {
        CapturedRun run = CapturedRun.of("run", folder.resolve("no.yaml").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("no.yaml cannot be read");
    }

    @Test
    void whenTheFileIsWrong_thenAllProblemsArePrinted() throws IOException {
        CapturedRun run = CapturedRun.of("run", file("nam: x\nservices:\n  a:\n    proces: A\n"));

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains("app.yaml:1: nam: is not known")
                .contains("app.yaml:4: services.a.proces")
                .contains("Try: treadle run --help");
    }

    @Test
    void whenTheFileIsOnlyChecked_thenNothingIsStarted() throws IOException {
        Teller.TOLD.clear();

        CapturedRun run = CapturedRun.of("run", "--check", file("services:\n  a:\n    process: " + TELLER + "\n"));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("app.yaml is fine: 1 services on [main]");
        assertThat(Teller.TOLD).isEmpty();
    }

    @Test
    void whenOnlyCheckedAndAClassIsMissing_thenItSaysSo() throws IOException {
        CapturedRun run = CapturedRun.of("run", "--check", file("services:\n  a:\n    process: com.acme.Nothing\n"));

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("app.yaml:3: services.a.process: class com.acme.Nothing was not found");
    }

    @Test
    void whenArgumentsComeWithAFile_thenItSaysWhereTheyBelong() throws IOException {
        CapturedRun run = CapturedRun.of("run", file("services:\n  a:\n    process: " + TELLER + "\n"), "more");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("write method and input below a service");
    }

    private String jar() throws IOException {
        return Files.write(folder.resolve("app.jar"), new byte[0]).toString();
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("app.yaml"), text).toString();
    }
}

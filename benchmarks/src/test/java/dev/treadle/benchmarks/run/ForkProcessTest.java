// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.ForkResult.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForkProcessTest {
    @TempDir
    Path temp;

    /** The one run in a JVM of its own, as users have it. */
    @Test
    void whenAForkRuns_thenItsFiguresComeBack() throws Exception {
        ForkResult result = new ForkProcess(Jdk.current(), 2, true).run(Workload.CHAMENEOS, Contender.TREADLE);

        assertThat(result.note()).isNull();
        assertThat(result.status()).isEqualTo(Status.OK);
        assertThat(result.figures())
                .hasSize(1)
                .allSatisfy(figure -> assertThat(figure).isPositive());
        assertThat(result.iterations()).isGreaterThanOrEqualTo(Plan.QUICK.iterations());
    }

    @Test
    void whenAContenderCannotDoIt_thenNoJvmIsStarted() throws Exception {
        var nowhere = new Jdk(temp, 17, "none");

        ForkResult result = new ForkProcess(nowhere, 2, true).run(Workload.PINGPONG, Contender.VT);

        assertThat(result.status()).isEqualTo(Status.UNABLE);
        assertThat(result.note()).contains("JDK 21");
    }

    @Test
    void whenAResultIsAmongOtherLines_thenItIsFound() {
        var written = new ForkResult(Status.OK, List.of(1.5, 2.5), 7, 0.01, null);

        assertThat(ForkProcess.result("WARNING: noise\n" + Fork.RESULT + Json.line(written) + "\nmore\n", 0))
                .isEqualTo(written);
    }

    @Test
    void whenTheJvmDies_thenTheEndOfItsOutputIsTheNote() {
        ForkResult result = ForkProcess.result("java.lang.OutOfMemoryError: Java heap space\n", 3);

        assertThat(result.status()).isEqualTo(Status.FAILED);
        assertThat(result.note()).contains("exit code 3", "OutOfMemoryError");
    }

    @Test
    void whenAFolderHoldsAJdk_thenItsReleaseFileSaysWhich() throws Exception {
        Files.writeString(temp.resolve("release"), "IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"25.0.1\"\n");

        assertThat(Jdk.in(temp)).isEqualTo(new Jdk(temp, 25, "25.0.1, Somebody"));

        Files.writeString(temp.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Jdk.in(temp))
                .withMessageContaining("a JDK 11.0.2, must be 17 or newer");
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Goal: the command works at all: a production class passes, a twin is caught, and one that survives fails the run. All
 * tests at length are {@code ./treadle verify}.
 */
class VerificationTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @Test
    void givenDequeAndTwinWithoutFence_whenSmokeIsRun_thenTheOnePassesAndTheOtherIsCaught() throws Exception {
        int exitCode = run("--smoke", "--test", "DequeTwoStress", "--results", folder.toString());

        assertThat(text(out)).containsPattern("DequeTwoStress +passed").containsPattern("WITHOUT_FENCE +caught");
        assertThat(exitCode).as(text(err)).isZero();
    }

    @Test
    void givenTwinOfWhichNothingForbiddenWasSeen_thenTheRunFails() {
        var summary = new Summary();

        summary.addTwin(Twin.DEQUE_TEXTBOOK_HALF, new Verdict());

        assertThat(summary.isPassed()).isFalse();
        assertThat(summary.toString()).containsPattern("DEQUE_TEXTBOOK_HALF +SURVIVED");
    }

    @Test
    void givenTestThatDidNotRun_thenTheRunFails() {
        var summary = new Summary();

        summary.addTest("DequeTwoStress", new Verdict());

        assertThat(summary.isPassed()).isFalse();
        assertThat(summary.toString()).containsPattern("DequeTwoStress +ERROR");
    }

    @Test
    void whenNoTestHasTheName_thenItSaysSoAndFails() throws Exception {
        assertThat(run("--test", "NoSuchTest", "--results", folder.toString())).isEqualTo(1);
        assertThat(text(err))
                .contains("no test has a name with \"NoSuchTest\" in it")
                .contains("DequeTwoStress");
    }

    @Test
    void whenUsedWrongly_thenItSaysHowAndEndsWithTwo() throws Exception {
        assertThat(run("--quik")).isEqualTo(2);
        assertThat(run("--test")).isEqualTo(2);
        assertThat(run("--test", "(")).isEqualTo(2);
        assertThat(text(err))
                .contains("\"--quik\" is no option")
                .contains("--test needs a regular expression")
                .contains("--test was \"(\"");
    }

    @Test
    void everyTwinHasATest_andTheMemoryModelPageNamesEveryTestAndTwin() throws Exception {
        Set<String> tests = TestList.tests().stream()
                .map(name -> name.substring(name.lastIndexOf('.') + 1))
                .collect(Collectors.toSet());
        List<String> twins = Arrays.stream(Twin.values()).map(Twin::name).toList();
        String page = Files.readString(Path.of("..", "docs", "memory-model.md"));

        assertThat(Twin.values()).extracting(Twin::test).isSubsetOf(tests);
        assertThat(tests).allSatisfy(test -> assertThat(page).contains("`" + test + "`"));
        assertThat(twins).allSatisfy(twin -> assertThat(page).contains("`" + twin + "`"));
    }

    private int run(String... arguments) throws InterruptedException {
        return Main.run(arguments, stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The annotation, used by JUnit itself. */
class SimulationTestTest {
    @Test
    void allSeedsAreRun_eachWithAnInstanceOfItsOwn() {
        AnnotatedCases.RUNS.set(0);
        AnnotatedCases.SEEDS.clear();
        assertThat(run(AnnotatedCases.class, "passes")).isNull();
        assertThat(AnnotatedCases.SEEDS).hasSize(50).contains(1000L, 1049L);
        assertThat(AnnotatedCases.RUNS.get()).as("the first two twice").isEqualTo(52);
    }

    @Test
    void theFailingSeedIsReportedShrunkWithTheLineThatReplaysIt() throws Exception {
        Throwable failure = run(AnnotatedCases.class, "fails");
        assertThat(failure)
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("always \"fewer than three\"")
                .hasMessageContaining("shrunk from")
                .hasMessageContaining("Simulation.replay(\"0/");
        assertThat(((SimulationFailure) failure).trace().events()).hasSize(6);
        assertThat(Files.readString(Path.of("target", "simulation", "AnnotatedCases-fails.html")))
                .startsWith("<!doctype html>");
    }

    @Test
    void aReplayRunsThatLineAlone() {
        AnnotatedCases.RUNS.set(0);
        assertThat(run(AnnotatedCases.class, "replays")).hasMessageContaining("seed 9");
        assertThat(AnnotatedCases.RUNS.get()).isEqualTo(1);
    }

    @Test
    void whatATestThrowsAfterItsRunCountsToo() {
        assertThat(run(AnnotatedCases.class, "failsAfterwards"))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("after the run");
    }

    @Test
    void codeThatTheSeedDoesNotDecideIsFound_andWhereTheRunsParted() {
        assertThat(run(AnnotatedCases.class, "dependsOnSomethingElse").getMessage())
                .contains("two runs of this seed are not the same. They part here:")
                .containsPattern("first: +3 0.000000s end \\{main\\|1} DONE \\d")
                .containsPattern("second: +3 0.000000s end \\{main\\|1} DONE \\d")
                .contains("the real clock");
    }

    @Test
    void otherParametersAreRefused() {
        assertThat(run(AnnotatedCases.class, "hasNoSimulation")).hasMessageContaining("must have that alone");
    }

    @Test
    void aNestedClassGetsItsOuterInstance() {
        assertThat(run(AnnotatedCases.Inner.class, "passes")).isNull();
    }

    private static Throwable run(Class<?> type, String method) {
        var listener = new SummaryGeneratingListener();
        var request = LauncherDiscoveryRequestBuilder.request();
        request.selectors(
                method.equals("hasNoSimulation")
                        ? selectMethod(type, method)
                        : selectMethod(type, method, Simulation.class.getName()));
        LauncherFactory.create().execute(request.build(), listener);
        var summary = listener.getSummary();
        assertThat(summary.getTestsStartedCount()).isEqualTo(1);
        return summary.getFailures().isEmpty()
                ? null
                : summary.getFailures().get(0).getException();
    }
}

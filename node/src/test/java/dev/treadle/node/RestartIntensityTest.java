// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.ProcessFailedException;
import dev.treadle.ProcessRef;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many restarts are allowed, and what happens after that. */
class RestartIntensityTest {
    private final SupervisorWorld world = new SupervisorWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private SupervisorSpec ab(int intensity, Duration period) {
        return SupervisorSpec.oneForOne()
                .intensity(intensity, period)
                .child(world.child("a"))
                .child(world.child("b"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void soManyAreAllowedAndOneMoreEndsTheSupervisor(int intensity) {
        ProcessRef supervisor = world.start(ab(intensity, Duration.ofSeconds(10)));
        for (int i = 0; i < intensity; i++) {
            world.end(supervisor, i % 2 == 0 ? "a" : "b", "throw");
            assertThat(world.running(supervisor)).containsExactly("a", "b");
        }
        world.takeLog();
        world.end(supervisor, "a", "throw");

        assertThat(world.takeLog()).containsExactly("end a", "end b");
        assertThatThrownBy(() -> supervisor.result().join())
                .cause()
                .isInstanceOf(ProcessFailedException.class)
                .cause()
                .isInstanceOfSatisfying(
                        RestartIntensityException.class,
                        thrown -> assertThat(thrown.childId()).isEqualTo("a"))
                .hasMessageContaining("at most " + intensity + " are allowed; the last was \"a\"")
                .hasMessageContaining("within PT10S")
                .hasRootCauseMessage("as told");
    }

    @Test
    void restartsThatAreLongAgoDoNotCount() {
        ProcessRef supervisor = world.start(ab(1, Duration.ofSeconds(10)));
        for (int i = 0; i < 5; i++) {
            world.end(supervisor, "a", "throw");
            world.advance(Duration.ofSeconds(10).plusNanos(1));
        }
        assertThat(world.running(supervisor)).containsExactly("a", "b");
        world.end(supervisor, "a", "throw");
        world.advance(Duration.ofSeconds(10));
        world.end(supervisor, "a", "throw");
        assertThat(supervisor.result()).isCompletedExceptionally();
    }

    @Test
    void theLastOnesAreStoppedInReverseBeforeTheSupervisorFails() {
        ProcessRef supervisor = world.start(SupervisorSpec.oneForOne()
                .intensity(0, Duration.ofSeconds(1))
                .child(world.child("a"))
                .child(ChildSpec.of("b", world.stubborn("b")))
                .child(world.child("c")));
        world.takeLog();
        world.end(supervisor, "a", "throw");
        assertThat(world.takeLog()).containsExactly("end a", "end c");
        assertThat(world.node.find(supervisor.pid())).as("waits for b").isPresent();
        world.advance(ChildSpec.SHUTDOWN_DEFAULT);
        assertThat(supervisor.result()).isCompletedExceptionally();
    }

    @Test
    void theSupervisorAboveDecides() {
        ProcessRef top = world.start(SupervisorSpec.oneForOne()
                .child(ChildSpec.supervisor("x", ab(1, Duration.ofSeconds(10))))
                .child(world.child("y")));
        ProcessRef before = world.below(top, "x");
        world.end(before, "a", "throw");
        world.takeLog();
        world.end(before, "a", "throw");

        assertThat(world.takeLog()).containsExactly("end a", "end b", "start a", "start b");
        ProcessRef after = world.below(top, "x");
        assertThat(after).isNotEqualTo(before);
        assertThat(world.restarts(after)).as("counts anew").isZero();
        assertThat(world.restarts(top)).isEqualTo(1);
        assertThat(world.entry(top, "x").restarts()).isEqualTo(1);
    }

    @Test
    void aFailureThatGoesOnReachesTheTop() {
        ProcessRef top = world.start(SupervisorSpec.oneForOne()
                .intensity(1, Duration.ofSeconds(10))
                .child(world.child("y"))
                .child(ChildSpec.supervisor("x", ab(1, Duration.ofSeconds(10)))));
        for (int i = 0; i < 4; i++) { // twice for x, twice for the top
            world.end(world.below(top, "x"), "a", "throw");
        }
        assertThatThrownBy(() -> top.result().join())
                .cause()
                .cause()
                .hasMessageContaining("the last was \"x\"")
                .cause()
                .hasMessageContaining("the last was \"a\"");
        assertThat(world.node.tree().supervisors()).isEmpty();
    }

    @Test
    void aSupervisorThatIsTemporaryIsNotStartedAgain() {
        ProcessRef top = world.start(SupervisorSpec.oneForOne()
                .child(ChildSpec.supervisor("x", ab(0, Duration.ofSeconds(10))).restart(Restart.TEMPORARY)));
        world.end(world.below(top, "x"), "a", "throw");
        assertThat(world.children(top)).isEmpty();
    }

    @Test
    void aRestartThatFailsCountsAndIsTriedAgain() {
        ProcessRef supervisor = world.start(ab(4, Duration.ofSeconds(10)));
        world.takeLog();
        world.failingInits.put("a", 3);
        world.end(supervisor, "a", "throw");

        assertThat(world.takeLog()).containsExactly("end a", "fail a", "fail a", "fail a", "start a");
        assertThat(world.restarts(supervisor)).as("attempts").isEqualTo(4);
        assertThat(world.entry(supervisor, "a").restarts()).as("starts").isEqualTo(1);
    }

    @Test
    void aRestartThatGoesOnFailingEndsTheSupervisor() {
        ProcessRef supervisor = world.start(ab(2, Duration.ofSeconds(10)));
        world.takeLog();
        world.failingInits.put("a", 100);
        world.end(supervisor, "a", "throw");

        assertThat(world.takeLog()).containsExactly("end a", "fail a", "fail a", "end b");
        assertThatThrownBy(() -> supervisor.result().join()).rootCause().hasMessage("init of a");
    }

    @Test
    void aGroupOfWhichOneDoesNotStartIsStoppedAndTriedAgain() {
        ProcessRef supervisor = world.start(SupervisorSpec.oneForAll()
                .intensity(2, Duration.ofSeconds(10))
                .child(world.child("a"))
                .child(world.child("b")));
        world.takeLog();
        world.failingInits.put("b", 1);
        world.end(supervisor, "b", "throw");
        assertThat(world.takeLog())
                .containsExactly("end b", "end a", "start a", "fail b", "end a", "start a", "start b");
        assertThat(world.restarts(supervisor)).isEqualTo(2);
    }

    @Test
    void aSupervisorBelowThatDoesNotStartAgainIsTriedAgain() {
        ProcessRef top = world.start(SupervisorSpec.oneForOne()
                .intensity(2, Duration.ofSeconds(10))
                .child(ChildSpec.supervisor("x", ab(0, Duration.ofSeconds(10)))));
        world.takeLog();
        world.failingInits.put("b", 1);
        world.end(world.below(top, "x"), "b", "throw");
        assertThat(world.takeLog())
                .containsExactly("end b", "end a", "start a", "fail b", "end a", "start a", "start b");
        assertThat(world.restarts(top)).isEqualTo(2);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Pid;
import dev.treadle.ProcessRef;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No child outlives its supervisor, and none runs twice. */
class SupervisorOrphanTest {
    private final SupervisorWorld world = new SupervisorWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private SupervisorSpec onB(String... ids) {
        SupervisorSpec spec = SupervisorSpec.oneForOne();
        for (String id : ids) {
            spec = spec.child(id, world.worker(id).on("b"));
        }
        return spec;
    }

    private void runA() {
        world.stepped.hosts().get("a").runAll();
    }

    private void runB() {
        world.stepped.hosts().get("b").runAll();
    }

    @Test
    void aSupervisorThatIsTerminatedTakesItsChildrenWithIt() {
        ProcessRef supervisor = world.start(onB("x", "y").child(world.child("z")));
        supervisor.terminate();
        world.run();
        assertThat(world.takeLog()).contains("end x", "end y", "end z");
        assertThat(world.node.tree().supervisors()).isEmpty();
    }

    @Test
    void aTreeThatIsTerminatedAtItsTopIsGone() {
        ProcessRef top = world.start(SupervisorSpec.oneForOne()
                .child(ChildSpec.supervisor(
                        "s", SupervisorSpec.oneForOne().child(ChildSpec.supervisor("t", onB("x", "y"))))));
        top.terminate();
        world.run();
        assertThat(world.takeLog()).containsExactlyInAnyOrder("start x", "start y", "end x", "end y");
        assertThat(world.node.tree().supervisors()).isEmpty();
    }

    @Test
    void oneThatIsTerminatedRightAfterItStartedItsChildrenLeavesNone() {
        ProcessRef supervisor = world.node.spawn(onB("x", "y").spawn().on("a")).ref();
        runA(); // it has started x and y, which have not had a step
        supervisor.terminate();
        world.run();
        assertThat(world.takeLog()).containsExactlyInAnyOrder("start x", "start y", "end x", "end y");
    }

    @Test
    void whatATerminatedSupervisorLeftHasEndedBeforeItIsStartedAgain() {
        ProcessRef top = world.start(SupervisorSpec.oneForOne().child(ChildSpec.supervisor("s", onB("x"))));
        world.takeLog();
        world.below(top, "s").terminate();
        runA(); // the top hears of the end of s, and x has not ended yet
        assertThat(world.takeLog()).isEmpty();
        assertThat(world.entry(top, "s").state()).isEqualTo(SupervisionTree.State.STOPPING);
        runB();
        world.run();
        assertThat(world.takeLog()).containsExactly("end x", "start x");
    }

    @Test
    void whatIsLeftFurtherBelowHasEndedToo() {
        ProcessRef top = world.start(SupervisorSpec.oneForOne()
                .child(ChildSpec.supervisor(
                        "s", SupervisorSpec.oneForOne().child(ChildSpec.supervisor("t", onB("x"))))));
        world.takeLog();
        world.below(top, "s").terminate();
        runA();
        assertThat(world.takeLog()).isEmpty();
        world.run();
        assertThat(world.takeLog()).containsExactly("end x", "start x");
        assertThat(world.restarts(top)).isEqualTo(1);
    }

    @Test
    void whatWasLeftToOneThatIsTerminatedItselfGoesToTheNextAbove() {
        ProcessRef top = world.start(SupervisorSpec.oneForOne()
                .child(ChildSpec.supervisor(
                        "s", SupervisorSpec.oneForOne().child(ChildSpec.supervisor("t", onB("x"))))));
        world.takeLog();
        ProcessRef s = world.below(top, "s");
        world.below(s, "t").terminate();
        runA(); // s waits for x
        s.terminate();
        runA(); // now the top does
        assertThat(world.takeLog()).isEmpty();
        world.run();
        assertThat(world.takeLog()).containsExactly("end x", "start x");
    }

    @Test
    void oneThatIsTerminatedRightAfterItHasStartedIsRestartedAndIsNoFailedStart() {
        ProcessRef top = world.node
                .spawn(SupervisorSpec.oneForOne()
                        .child(ChildSpec.supervisor("t", onB("y")).on("b"))
                        .spawn()
                        .on("a"))
                .ref();
        runA();
        runB(); // t has started y, and the top has not heard of that
        ProcessRef below = world.below(top, "t");
        assertThat(world.entry(top, "t").state()).isEqualTo(SupervisionTree.State.STARTING);
        below.terminate();
        runB();
        world.run();
        assertThat(world.running(top)).containsExactly("t");
        assertThat(world.restarts(top)).isEqualTo(1);
    }

    @Test
    void namesAreFreeForTheNextLife() {
        ProcessRef top = world.start(SupervisorSpec.oneForOne()
                .child(ChildSpec.supervisor(
                        "s",
                        SupervisorSpec.oneForOne()
                                .child("x", world.worker("x").on("b").name("the x")))));
        Pid before = world.node.names().find("the x").orElseThrow();
        world.below(top, "s").terminate();
        world.run();
        Pid after = world.node.names().find("the x").orElseThrow();
        assertThat(after).isNotEqualTo(before).isEqualTo(world.pid(world.below(top, "s"), "x"));
        assertThat(world.restarts(top)).isEqualTo(1);
    }

    @Test
    void aHostThatIsStoppedTakesTheChildrenAndABackoffOutlastsIt() {
        ProcessRef supervisor = world.start(onB("x").intensity(10, Duration.ofSeconds(10))
                .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(1))));
        world.node.host("b").stop(Duration.ZERO);
        world.run();
        world.advance(Duration.ofSeconds(1));
        assertThat(world.takeLog()).containsExactly("start x", "end x");
        world.node.host("b").start();
        world.advance(Duration.ofSeconds(1));
        assertThat(world.takeLog()).isEqualTo(List.of("start x"));
        assertThat(world.running(supervisor)).containsExactly("x");
    }
}

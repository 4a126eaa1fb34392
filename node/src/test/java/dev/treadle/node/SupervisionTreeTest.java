// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.ProcessRef;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What node.tree() shows. */
class SupervisionTreeTest {
    private final SupervisorWorld world = new SupervisorWorld();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aNodeWithoutSupervisorsHasAnEmptyTree() {
        assertThat(world.node.tree()).hasToString("node \"test\"");
    }

    @Test
    void printsAsIndentedText() {
        ProcessRef top = world.start(SupervisorSpec.restForOne()
                .intensity(5, Duration.ofSeconds(5))
                .child(ChildSpec.supervisor(
                        "users",
                        SupervisorSpec.oneForAll()
                                .child(world.child("u"))
                                .child(world.child("v").restart(Restart.TRANSIENT))))
                .child(world.child("w").backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(9)))));
        ProcessRef users = world.below(top, "users");
        world.end(users, "u", "throw");
        world.end(users, "v", "done");
        world.end(top, "w", "throw");
        world.advance(Duration.ofSeconds(1));
        world.end(top, "w", "throw");

        assertThat(world.node.tree().toString().lines())
                .containsExactly(
                        "node \"test\"",
                        "  supervisor " + top.pid() + " running: rest-for-one, has restarted 2 times",
                        "    users " + users.pid() + " running: one-for-all, has restarted once",
                        "      u " + world.pid(users, "u") + " running, restarted once",
                        "      v stopped, restarted once",
                        "    w waiting, restarted once");
    }

    @Test
    void showsASupervisorThatAnOrdinaryProcessHasStartedAtTheTop() {
        ProcessRef first = world.start(SupervisorSpec.oneForOne().child(world.child("a")));
        ProcessRef second = world.start(SupervisorSpec.oneForOne().child(world.child("b")));
        assertThat(world.node.tree().supervisors())
                .extracting(SupervisionTree.Entry::pid)
                .containsExactlyInAnyOrder(first.pid(), second.pid());
        first.terminate();
        world.run();
        assertThat(world.node.tree().supervisors())
                .extracting(SupervisionTree.Entry::pid)
                .containsExactly(second.pid());
    }

    @Test
    void isAValueThatDoesNotChange() {
        ProcessRef top = world.start(SupervisorSpec.oneForOne().child(world.child("a")));
        SupervisionTree before = world.node.tree();
        assertThat(before).isEqualTo(world.node.tree());
        world.end(top, "a", "throw");
        assertThat(before.supervisors().get(0).children().get(0).restarts()).isZero();
        assertThat(before).isNotEqualTo(world.node.tree());
    }
}

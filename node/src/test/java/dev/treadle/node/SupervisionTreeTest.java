// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.DeadLetter;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessRef;
import dev.treadle.SchedulerListener;
import dev.treadle.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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

    @Test
    void aSupervisorThatHasClosedIsShownAsStoppingUntilTheOneAboveHasHeard() {
        var seen = new ArrayList<SupervisionTree.State>();
        var node = new AtomicReference<Node>();
        // Unread messages are told after its close, and before anybody hears of its end.
        SchedulerListener listener = new SchedulerListener() {
            @Override
            public void onDeadLetter(DeadLetter letter) {
                seen.add(onlyChild(node.get()).state());
            }
        };
        try (SteppedNode stepped = Node.builder()
                .host("a")
                .schedulers(scheduler -> scheduler.listener(listener))
                .stepped()) {
            node.set(stepped.node());
            var below = ChildSpec.supervisor("below", SupervisorSpec.oneForOne());
            stepped.node().spawn(SupervisorSpec.oneForOne().child(below).spawn());
            stepped.runAll();
            Pid pid = onlyChild(stepped.node()).pid();
            stepped.node().send(pid, "unread", null);
            stepped.node().terminate(pid, "test");
            stepped.runAll();
            assertThat(seen).containsExactly(SupervisionTree.State.STOPPING);
            assertThat(onlyChild(stepped.node()).state()).isEqualTo(SupervisionTree.State.RUNNING);
        }
    }

    @Test
    void aChildThatDidNotStartAndIsTriedAgainIsNeverShownAsStopped() {
        var seen = EnumSet.noneOf(SupervisionTree.State.class);
        var node = new AtomicReference<Node>();
        // The supervisor looks at the clock while it plans a restart.
        TimeSource looks = new TimeSource() {
            @Override
            public long nanos() {
                if (node.get() != null) {
                    seen.add(onlyChild(node.get()).state());
                }
                return 0;
            }

            @Override
            public Instant instant() {
                return Instant.EPOCH;
            }
        };
        var starts = new AtomicInteger();
        Spawn secondFails = Spawn.of(() -> {
            if (starts.incrementAndGet() == 2) {
                throw new IllegalStateException("test");
            }
            return Process.of((events, out) -> {});
        });
        try (SteppedNode stepped = Node.builder()
                .host("a")
                .schedulers(scheduler -> scheduler.time(looks))
                .stepped()) {
            stepped.node()
                    .spawn(SupervisorSpec.oneForOne()
                            .intensity(5, Duration.ofSeconds(5))
                            .child(ChildSpec.of("child", secondFails))
                            .spawn());
            stepped.runAll();
            node.set(stepped.node());
            stepped.node().terminate(onlyChild(stepped.node()).pid(), "test");
            stepped.runAll();
            node.set(null); // the end of the node is no part of this
            assertThat(starts).hasValue(3);
            assertThat(seen)
                    .contains(SupervisionTree.State.STOPPING, SupervisionTree.State.WAITING)
                    .doesNotContain(SupervisionTree.State.STOPPED);
        }
    }

    private static SupervisionTree.Entry onlyChild(Node node) {
        return node.tree().supervisors().get(0).children().get(0);
    }
}

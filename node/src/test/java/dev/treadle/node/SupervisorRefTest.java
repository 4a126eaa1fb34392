// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessRef;
import dev.treadle.command.Ask;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Children that come and go while their supervisor runs. */
class SupervisorRefTest {
    private final SupervisorWorld world = new SupervisorWorld();
    private final ProcessRef supervisor =
            world.start(SupervisorSpec.oneForOne().child(world.child("a")).child(world.child("b")));
    private final SupervisorRef ref = SupervisorRef.of(world.node, supervisor.pid());

    @BeforeEach
    void forgetTheStart() {
        world.takeLog();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private <T> CompletableFuture<T> run(CompletableFuture<T> asked) {
        world.run();
        return asked;
    }

    @Nested
    class Start {
        @Test
        void addsAChildAtTheEnd() {
            Pid pid = run(ref.start(world.child("c"))).join();
            assertThat(pid).isEqualTo(world.pid(supervisor, "c"));
            assertThat(world.running(supervisor)).containsExactly("a", "b", "c");
            world.end(supervisor, "c", "throw");
            assertThat(world.running(supervisor))
                    .as("the rules are those of any child")
                    .contains("c");
        }

        @Test
        void ofAnIdThatIsThereIsRefused() {
            assertThatThrownBy(() -> run(ref.start(world.child("b"))).join())
                    .hasRootCauseInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("child \"b\" is one of supervisor " + supervisor.pid() + " already");
        }

        @Test
        void thatFailsKeepsNothingAndCountsNothing() {
            world.failingInits.put("c", 1);
            assertThatThrownBy(() -> run(ref.start(world.child("c"))).join()).hasRootCauseMessage("init of c");
            assertThat(world.children(supervisor)).containsExactly("a", "b");
            assertThat(world.restarts(supervisor)).isZero();
        }

        @Test
        void ofASupervisorIsRepliedToWhenItsOwnHaveStarted() {
            SupervisorSpec below = SupervisorSpec.oneForOne().child(world.child("x"));
            CompletableFuture<Pid> asked = ref.start(ChildSpec.supervisor("s", below));
            run(asked).join();
            assertThat(world.takeLog()).containsExactly("start x");

            world.failingInits.put("x", 1);
            assertThatThrownBy(() ->
                            run(ref.start(ChildSpec.supervisor("s2", below))).join())
                    .hasRootCauseMessage("init of x");
            assertThat(world.children(supervisor)).containsExactly("a", "b", "s");
        }

        @Test
        void whileTheSupervisorStopsIsRefused() {
            run(ref.start(ChildSpec.of("slow", world.stubborn("slow")))).join();
            supervisor.cancel("test");
            world.run();
            assertThatThrownBy(() -> run(ref.start(world.child("c"))).join()).hasMessageContaining("is stopping");
        }
    }

    @Nested
    class Stop {
        @Test
        void isRepliedToWhenTheChildHasEnded() {
            run(ref.start(ChildSpec.of("slow", world.stubborn("slow")))).join();
            CompletableFuture<?> asked = run(ref.stop("slow"));
            assertThat(asked).isNotDone();
            assertThat(world.entry(supervisor, "slow").state()).isEqualTo(SupervisionTree.State.STOPPING);
            world.advance(ChildSpec.SHUTDOWN_DEFAULT);
            assertThat(asked).isCompleted();
            assertThat(world.entry(supervisor, "slow").state()).isEqualTo(SupervisionTree.State.STOPPED);
        }

        @Test
        void doesNotHoldUpTheRestartOfOthers() {
            run(ref.start(ChildSpec.of("slow", world.stubborn("slow")))).join();
            CompletableFuture<?> unused = run(ref.stop("slow"));
            world.end(supervisor, "a", "throw");
            assertThat(world.running(supervisor)).contains("a");
        }

        @Test
        void keepsAPermanentChildAndForgetsATemporaryOne() {
            run(ref.start(world.child("t").restart(Restart.TEMPORARY))).join();
            run(ref.stop("t")).join();
            run(ref.stop("a")).join();
            run(ref.stop("a")).join(); // again: it is stopped
            assertThat(world.children(supervisor)).containsExactly("a", "b");
            assertThat(world.running(supervisor)).containsExactly("b");
            assertThat(world.restarts(supervisor)).isZero();
        }

        @Test
        void ofOneThatWaitsForItsRestartKeepsItFromStarting() {
            run(ref.start(world.child("w").backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(1)))))
                    .join();
            world.end(supervisor, "w", "throw");
            run(ref.stop("w")).join();
            world.advance(Duration.ofSeconds(2));
            assertThat(world.running(supervisor)).containsExactly("a", "b");
        }

        @Test
        void keepsAChildStoppedWhenItsGroupIsRestarted() {
            ProcessRef group = world.start(
                    SupervisorSpec.oneForAll().child(world.child("x")).child(world.child("y")));
            run(SupervisorRef.of(world.node, group.pid()).stop("x")).join();
            world.takeLog();
            world.end(group, "y", "throw");
            assertThat(world.takeLog()).containsExactly("end y", "start y");
        }

        @Test
        void ofOneThatIsNotThereIsRefused() {
            assertThatThrownBy(() -> run(ref.stop("q")).join())
                    .hasMessageContaining("child \"q\" is not one of supervisor " + supervisor.pid());
        }
    }

    @Nested
    class Remove {
        @Test
        void stopsAndForgets() {
            run(ref.remove("a")).join();
            assertThat(world.takeLog()).containsExactly("end a");
            assertThat(world.children(supervisor)).containsExactly("b");
            run(ref.start(world.child("a"))).join();
            assertThat(world.children(supervisor)).containsExactly("b", "a");
        }

        @Test
        void forgetsOneThatIsStopped() {
            run(ref.stop("a")).join();
            run(ref.remove("a")).join();
            assertThat(world.children(supervisor)).containsExactly("b");
        }
    }

    @Nested
    class RestartByRequest {
        @Test
        void startsOneThatWasStopped() {
            run(ref.stop("a")).join();
            Pid pid = run(ref.restart("a")).join();
            assertThat(world.running(supervisor)).containsExactly("a", "b");
            assertThat(pid).isEqualTo(world.pid(supervisor, "a"));
        }

        @Test
        void ofOneThatRunsStopsItFirstAndDoesNotCount() {
            Pid before = world.pid(supervisor, "a");
            for (int i = 0; i < 5; i++) {
                assertThat(run(ref.restart("a")).join()).isNotEqualTo(before);
            }
            assertThat(world.takeLog()).startsWith("end a", "start a", "end a", "start a");
            assertThat(world.restarts(supervisor)).isZero();
            assertThat(world.entry(supervisor, "a").restarts()).isZero();
        }

        @Test
        void cutsABackoffShortAndLeavesTheRulesInForce() {
            run(ref.start(world.child("w")
                            .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(9))
                                    .jitter(0))))
                    .join();
            world.end(supervisor, "w", "throw");
            assertThat(world.running(supervisor)).containsExactly("a", "b");
            run(ref.restart("w")).join();
            assertThat(world.running(supervisor)).containsExactly("a", "b", "w");
        }

        @Test
        void thatFailsWhileARestartIsDueDoesNotEndTheRestarts() {
            ProcessRef other = world.start(SupervisorSpec.oneForOne()
                    .intensity(5, Duration.ofMinutes(1))
                    .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(1)))
                    .child(world.child("w")));
            world.end(other, "w", "throw");
            world.failingInits.put("w", 1);
            assertThatThrownBy(
                            () -> run(SupervisorRef.of(world.node, other.pid()).restart("w"))
                                    .join())
                    .hasRootCauseMessage("init of w");
            world.advance(Duration.ofSeconds(1));
            assertThat(world.running(other)).containsExactly("w");
        }

        @Test
        void ofOneThatIsBeingRemovedIsRefused() {
            run(ref.start(ChildSpec.of("slow", world.stubborn("slow")))).join();
            CompletableFuture<?> unused = run(ref.remove("slow"));
            assertThatThrownBy(() -> run(ref.restart("slow")).join()).hasMessageContaining("is being removed");
        }

        @Test
        void thatFailsKeepsTheChildStopped() {
            world.failingInits.put("a", 1);
            assertThatThrownBy(() -> run(ref.restart("a")).join()).hasRootCauseMessage("init of a");
            assertThat(world.entry(supervisor, "a").state()).isEqualTo(SupervisionTree.State.STOPPED);
            run(ref.restart("a")).join();
            assertThat(world.running(supervisor)).containsExactly("a", "b");
        }
    }

    @Test
    void childrenAreListedInOrder() {
        List<SupervisionTree.Entry> entries = run(ref.children()).join();
        assertThat(entries).extracting(SupervisionTree.Entry::id).containsExactly("a", "b");
        assertThat(entries.get(0).pid()).isEqualTo(world.pid(supervisor, "a"));
    }

    @Test
    void aNameLeadsToTheNextLifeOfASupervisor() {
        world.start(SupervisorSpec.oneForOne()
                .child(
                        "s",
                        SupervisorSpec.oneForOne()
                                .child(world.child("x"))
                                .spawn()
                                .name("sup")));
        SupervisorRef named = SupervisorRef.named(world.node, "sup");
        Pid first = run(named.children()).join().get(0).pid();
        world.node.terminate(world.node.names().find("sup").orElseThrow(), "test");
        world.run();
        assertThat(run(named.children()).join().get(0).pid()).isNotEqualTo(first);
    }

    @Test
    void aSupervisorThatIsNotThereIsNamed() {
        assertThatThrownBy(() ->
                        SupervisorRef.named(world.node, "nobody").children().join())
                .hasRootCauseInstanceOf(NoSuchProcessException.class)
                .hasMessageContaining("there is no supervisor named \"nobody\" on node \"test\"");
    }

    @Test
    void aProcessYieldsTheSameAsCommands() {
        assertThat(yielded(SupervisorCommands.start(supervisor.pid(), world.child("c"))))
                .isEqualTo(world.pid(supervisor, "c"));
        assertThat(yielded(SupervisorCommands.restart(supervisor.pid(), "c"))).isEqualTo(world.pid(supervisor, "c"));
        assertThat(yielded(SupervisorCommands.stop(supervisor.pid(), "c"))).isNull();
        assertThat((List<?>) yielded(SupervisorCommands.children(supervisor.pid())))
                .hasSize(3);
        assertThat(yielded(SupervisorCommands.remove(supervisor.pid(), "c"))).isNull();
        assertThat(world.children(supervisor)).containsExactly("a", "b");
    }

    private Object yielded(Ask command) {
        Process asker = Process.of((events, out) -> {
            if (events.isEmpty()) {
                out.yield(command, 1);
            }
            for (Event event : events) {
                Completion completion = (Completion) event;
                out.done(completion.error() == null ? completion.data() : completion.error());
            }
        });
        ProcessRef ref = world.node.spawn(Spawn.of(() -> asker).on("b")).ref();
        world.run();
        return ref.result().join();
    }
}

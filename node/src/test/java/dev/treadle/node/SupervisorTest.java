// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Pid;
import dev.treadle.ProcessFailedException;
import dev.treadle.ProcessRef;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Starts, stops, and who is restarted with whom. */
class SupervisorTest {
    private final SupervisorWorld world = new SupervisorWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private SupervisorSpec abc(SupervisorStrategy strategy) {
        return SupervisorSpec.of(strategy)
                .child(world.child("a"))
                .child(world.child("b"))
                .child(world.child("c"));
    }

    @Nested
    class Starting {
        @Test
        void childrenAreStartedInOrder() {
            ProcessRef supervisor = world.start(abc(SupervisorStrategy.ONE_FOR_ONE));
            assertThat(world.takeLog()).containsExactly("start a", "start b", "start c");
            assertThat(world.running(supervisor)).containsExactly("a", "b", "c");
        }

        @Test
        void oneThatDoesNotStartEndsThoseBeforeItAndTheSupervisor() {
            world.failingInits.put("b", 1);
            ProcessRef supervisor = world.start(abc(SupervisorStrategy.ONE_FOR_ONE));

            assertThat(world.takeLog()).containsExactly("start a", "fail b", "end a");
            assertThatThrownBy(() -> supervisor.result().join()).rootCause().hasMessage("init of b");
            assertThatThrownBy(() -> supervisor.result().join())
                    .cause()
                    .isInstanceOf(ProcessFailedException.class)
                    .cause()
                    .isInstanceOf(SupervisorStartException.class)
                    .hasMessageContaining("child \"b\" did not");
        }

        @Test
        void aSupervisorBelowStartsAllOfItsOwnBeforeTheNextChild() {
            world.start(SupervisorSpec.oneForOne()
                    .child(ChildSpec.supervisor("x", abc(SupervisorStrategy.REST_FOR_ONE)))
                    .child(world.child("y")));
            assertThat(world.takeLog()).containsExactly("start a", "start b", "start c", "start y");
        }

        @Test
        void aSupervisorBelowThatDoesNotStartEndsTheOneAbove() {
            world.failingInits.put("c", 1);
            ProcessRef supervisor = world.start(SupervisorSpec.oneForOne()
                    .child(world.child("y"))
                    .child(ChildSpec.supervisor("x", abc(SupervisorStrategy.ONE_FOR_ONE)))
                    .child(world.child("z")));

            assertThat(world.takeLog())
                    .containsExactly("start y", "start a", "start b", "fail c", "end b", "end a", "end y");
            assertThat(supervisor.result()).isCompletedExceptionally();
        }

        @Test
        void manyAreStartedInSeveralSteps() {
            SupervisorSpec spec = SupervisorSpec.oneForOne();
            for (int i = 0; i <= SupervisorLife.STARTS_PER_STEP_MAX; i++) {
                spec = spec.child(world.child("c" + i));
            }
            ProcessRef supervisor = world.node.spawn(spec.spawn().on("b")).ref();
            world.stepped.hosts().get("b").runOne(0);
            assertThat(world.takeLog()).hasSize(SupervisorLife.STARTS_PER_STEP_MAX);
            world.run();
            assertThat(world.running(supervisor)).hasSize(SupervisorLife.STARTS_PER_STEP_MAX + 1);
        }

        @Test
        void aNameThatIsTakenIsAFailedStart() {
            Pid other = world.node.spawn(world.worker("other").name("n")).pid();
            ProcessRef supervisor = world.start(
                    SupervisorSpec.oneForOne().child("a", world.worker("a").name("n")));
            assertThatThrownBy(() -> supervisor.result().join())
                    .rootCause()
                    .hasMessageContaining("its name \"n\" belongs to " + other);
            assertThat(world.node.find(other)).isPresent();
        }

        /** Catches a supervisor that tries again at once: it would not rest before its intensity is used up. */
        @Test
        void aNameThatIsTakenAtARestartIsTriedAgainAfterAPause() {
            ProcessRef supervisor = world.start(SupervisorSpec.oneForOne()
                    .intensity(100_000, Duration.ofHours(1))
                    .child("a", world.worker("a").name("n").on("b")));
            world.endLater(supervisor, "a", "throw");
            world.stepped.hosts().get("b").runOne(0); // it has ended, and its supervisor has not heard of it
            Pid other = world.node.spawn(world.worker("other").name("n")).pid();
            world.run();
            assertThat(supervisor.result()).isNotDone();
            assertThat(world.running(supervisor)).isEmpty();

            world.node.terminate(other, "test");
            world.run();
            assertThat(world.running(supervisor)).as("not before its time").isEmpty();
            world.advance(SupervisorLife.NAME_PAUSE);
            assertThat(world.running(supervisor)).containsExactly("a");
        }

        @Test
        void twoChildrenWithOneIdAreRefused() {
            assertThatThrownBy(() -> abc(SupervisorStrategy.ONE_FOR_ONE).child(world.child("b")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("child \"b\" was added twice");
        }
    }

    @Nested
    class Stopping {
        @Test
        void childrenAreStoppedInReverseOrderAndThenTheSupervisorIsDone() {
            ProcessRef supervisor = world.start(abc(SupervisorStrategy.ONE_FOR_ONE));
            world.takeLog();
            supervisor.cancel("test");
            world.run();
            assertThat(world.takeLog()).containsExactly("end c", "end b", "end a");
            assertThat(supervisor.result()).isCompletedWithValue(null);
        }

        @Test
        void eachIsWaitedForBeforeTheNextIsTold() {
            ProcessRef supervisor = world.start(SupervisorSpec.oneForOne()
                    .child(world.child("a"))
                    .child(ChildSpec.of("b", world.stubborn("b")).shutdown(Duration.ofSeconds(2)))
                    .child(world.child("c")));
            world.takeLog();
            supervisor.cancel("test");
            world.run();
            assertThat(world.takeLog()).containsExactly("end c");
            world.advance(Duration.ofMillis(1999));
            assertThat(world.takeLog()).isEmpty();
            world.advance(Duration.ofMillis(1));
            assertThat(world.takeLog()).containsExactly("end b", "end a");
            assertThat(supervisor.result()).isCompletedWithValue(null);
        }

        @Test
        void aBrutalShutdownDoesNotAsk() {
            ProcessRef supervisor = world.start(SupervisorSpec.oneForOne()
                    .child(ChildSpec.of("a", world.stubborn("a")).shutdownBrutal()));
            supervisor.cancel("test");
            world.run();
            assertThat(supervisor.result()).isCompletedWithValue(null);
        }

        @Test
        void withoutALimitAChildHasAllTheTimeItNeeds() {
            ProcessRef supervisor = world.start(SupervisorSpec.oneForOne()
                    .child(ChildSpec.of("a", world.stubborn("a")).shutdownUnlimited()));
            supervisor.cancel("test");
            world.run();
            world.advance(Duration.ofDays(1));
            assertThat(world.node.find(supervisor.pid())).isPresent();
            world.end(supervisor, "a", "done");
            assertThat(supervisor.result()).isCompletedWithValue(null);
        }

        @Test
        void oneThatIsCancelledBeforeItsFirstStepStartsNobody() {
            ProcessRef supervisor = world.node
                    .spawn(abc(SupervisorStrategy.ONE_FOR_ONE).spawn())
                    .ref();
            supervisor.cancel("test");
            world.run();
            assertThat(world.takeLog()).isEmpty();
            assertThat(supervisor.result()).isCompletedWithValue(null);
        }

        @Test
        void aChildThatFailsWhileTheSupervisorStopsIsNotRestarted() {
            ProcessRef supervisor = world.start(
                    SupervisorSpec.oneForOne().child(world.child("a")).child(ChildSpec.of("b", world.stubborn("b"))));
            supervisor.cancel("test");
            world.run();
            world.takeLog();
            world.end(supervisor, "a", "throw");
            world.end(supervisor, "b", "throw");
            assertThat(world.takeLog()).containsExactly("end a", "end b");
            assertThat(supervisor.result()).isCompletedWithValue(null);
        }

        @Test
        void aTreeIsStoppedFromItsLeaves() {
            ProcessRef supervisor = world.start(SupervisorSpec.oneForOne()
                    .child(world.child("y"))
                    .child(ChildSpec.supervisor("x", abc(SupervisorStrategy.ONE_FOR_ONE)))
                    .child(world.child("z")));
            world.takeLog();
            supervisor.cancel("test");
            world.run();
            assertThat(world.takeLog()).containsExactly("end z", "end c", "end b", "end a", "end y");
        }

        @ParameterizedTest
        @CsvSource({"a", "b"})
        void theShutdownOfAHostIsNoFailureOfItsSupervisors(String hostOfChildren) {
            ProcessRef supervisor = world.start(
                    SupervisorSpec.oneForOne().child("w", world.worker("w").on(hostOfChildren)));
            world.stepped.close();
            assertThat(supervisor.result()).isCompletedWithValue(null);
            assertThat(world.takeLog()).containsExactly("start w", "end w");
        }
    }

    @Nested
    class WhoIsRestarted {
        @ParameterizedTest
        @CsvSource({
            "PERMANENT, done, RUNNING",
            "PERMANENT, cancel, RUNNING",
            "PERMANENT, throw, RUNNING",
            "PERMANENT, terminate, RUNNING",
            "TRANSIENT, done, STOPPED",
            "TRANSIENT, cancel, STOPPED",
            "TRANSIENT, throw, RUNNING",
            "TRANSIENT, terminate, RUNNING",
            "TEMPORARY, done, forgotten",
            "TEMPORARY, throw, forgotten",
            "TEMPORARY, terminate, forgotten"
        })
        void itDependsOnTheKindOfChildAndOnHowItEnded(Restart restart, String how, String after) {
            ProcessRef supervisor = world.start(SupervisorSpec.oneForOne()
                    .child(world.child("a").restart(restart))
                    .child(world.child("b")));
            Pid before = world.pid(supervisor, "a");
            world.end(supervisor, "a", how);

            assertThat(world.node.find(before)).isEmpty();
            boolean restarted = after.equals("RUNNING");
            assertThat(world.restarts(supervisor)).isEqualTo(restarted ? 1 : 0);
            if (after.equals("forgotten")) {
                assertThat(world.children(supervisor)).containsExactly("b");
            } else {
                assertThat(world.entry(supervisor, "a").state()).hasToString(after);
                assertThat(world.entry(supervisor, "a").restarts()).isEqualTo(restarted ? 1 : 0);
            }
        }

        @Test
        void oneForOneRestartsOnlyTheOneThatEnded() {
            ProcessRef supervisor = world.start(abc(SupervisorStrategy.ONE_FOR_ONE));
            world.takeLog();
            world.end(supervisor, "b", "throw");
            assertThat(world.takeLog()).containsExactly("end b", "start b");
            assertThat(world.running(supervisor)).containsExactly("a", "b", "c");
        }

        @Test
        void oneForAllStopsTheOthersInReverseAndStartsAllInOrder() {
            ProcessRef supervisor = world.start(abc(SupervisorStrategy.ONE_FOR_ALL));
            world.takeLog();
            world.end(supervisor, "b", "throw");
            assertThat(world.takeLog()).containsExactly("end b", "end c", "end a", "start a", "start b", "start c");
            assertThat(world.restarts(supervisor)).isEqualTo(1);
            assertThat(world.entry(supervisor, "c").restarts()).isEqualTo(1);
        }

        @Test
        void restForOneRestartsThoseThatCameAfter() {
            ProcessRef supervisor =
                    world.start(abc(SupervisorStrategy.REST_FOR_ONE).child(world.child("d")));
            world.takeLog();
            world.end(supervisor, "b", "throw");
            assertThat(world.takeLog()).containsExactly("end b", "end d", "end c", "start b", "start c", "start d");
            assertThat(world.running(supervisor)).containsExactly("a", "b", "c", "d");
        }

        @ParameterizedTest
        @EnumSource(names = {"ONE_FOR_ALL", "REST_FOR_ONE"})
        void ofThoseThatAreStoppedWithOthersTemporaryOnesAreForgotten(SupervisorStrategy strategy) {
            ProcessRef supervisor = world.start(SupervisorSpec.of(strategy)
                    .child(world.child("a"))
                    .child(world.child("b").restart(Restart.TEMPORARY))
                    .child(world.child("c").restart(Restart.TRANSIENT)));
            world.takeLog();
            world.end(supervisor, "a", "throw");
            assertThat(world.takeLog()).containsExactly("end a", "end c", "end b", "start a", "start c");
            assertThat(world.children(supervisor)).containsExactly("a", "c");
        }

        @Test
        void aTransientOneThatIsDoneIsStartedAgainTogetherWithTheOthers() {
            ProcessRef supervisor = world.start(SupervisorSpec.oneForAll()
                    .child(world.child("a").restart(Restart.TRANSIENT))
                    .child(world.child("b")));
            world.end(supervisor, "a", "done");
            world.takeLog();
            world.end(supervisor, "b", "throw");
            assertThat(world.takeLog()).containsExactly("end b", "start a", "start b");
        }

        @ParameterizedTest
        @EnumSource(names = {"ONE_FOR_ALL", "REST_FOR_ONE"})
        void oneThatEndsWhileItsGroupIsStoppedIsNotCountedAgain(SupervisorStrategy strategy) {
            ProcessRef supervisor = world.start(SupervisorSpec.of(strategy)
                    .intensity(1, Duration.ofMinutes(1))
                    .child(world.child("a"))
                    .child(world.child("b"))
                    .child(ChildSpec.of("c", world.stubborn("c"))));
            world.end(supervisor, "a", "throw"); // now c is waited for, and b is next
            world.takeLog();
            world.end(supervisor, "b", "throw");
            assertThat(world.takeLog()).containsExactly("end b");
            world.advance(ChildSpec.SHUTDOWN_DEFAULT);
            assertThat(world.takeLog()).containsExactly("end c", "start a", "start b", "start c");
            assertThat(world.restarts(supervisor)).isEqualTo(1);
        }

        @Test
        void aCancelWhileAGroupIsStoppedEndsAll() {
            ProcessRef supervisor = world.start(
                    SupervisorSpec.oneForAll().child(world.child("a")).child(ChildSpec.of("b", world.stubborn("b"))));
            world.end(supervisor, "a", "throw");
            supervisor.cancel("test");
            world.run();
            world.takeLog();
            world.advance(ChildSpec.SHUTDOWN_DEFAULT);
            assertThat(world.takeLog()).containsExactly("end b");
            assertThat(supervisor.result()).isCompletedWithValue(null);
        }

        @Test
        void aSupervisorBelowThatIsRestartedStartsAllOfItsOwn() {
            ProcessRef supervisor = world.start(SupervisorSpec.oneForAll()
                    .child(world.child("y"))
                    .child(ChildSpec.supervisor("x", abc(SupervisorStrategy.ONE_FOR_ONE)))
                    .child(world.child("z")));
            world.takeLog();
            world.end(supervisor, "y", "throw");
            assertThat(world.takeLog())
                    .containsExactly(
                            "end y", "end z", "end c", "end b", "end a", "start y", "start a", "start b", "start c",
                            "start z");
        }
    }
}

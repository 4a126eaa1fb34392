// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.ProcessRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a supervisor waits before it starts a child again. */
class BackoffTest {
    private static final Backoff DOUBLING =
            Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(1)).jitter(0);

    @Nested
    class TheNumbers {
        private List<Long> millis(Backoff backoff, int count) {
            var random = new Random(1);
            List<Long> delays = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                delays.add(Duration.ofNanos(backoff.delayNanos(i, random)).toMillis());
            }
            return delays;
        }

        @Test
        void growByTheFactorUpToTheCap() {
            assertThat(millis(DOUBLING, 6)).containsExactly(100L, 200L, 400L, 800L, 1000L, 1000L);
            assertThat(millis(DOUBLING.factor(3), 4)).containsExactly(100L, 300L, 900L, 1000L);
            assertThat(millis(DOUBLING.factor(1), 3)).containsExactly(100L, 100L, 100L);
        }

        @Test
        void stayAtTheCapHoweverManyFailures() {
            assertThat(DOUBLING.delayNanos(Integer.MAX_VALUE, new Random(1)))
                    .isEqualTo(Duration.ofSeconds(1).toNanos());
        }

        @Test
        void areShorterByAtMostTheJitterAndNeverLonger() {
            var random = new Random(1);
            List<Long> delays = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                delays.add(DOUBLING.jitter(0.3).delayNanos(0, random));
            }
            long full = Duration.ofMillis(100).toNanos();
            assertThat(delays).allSatisfy(delay -> assertThat(delay).isBetween(full * 7 / 10, full));
            assertThat(delays.stream().distinct().count()).isGreaterThan(900);
        }

        @Test
        void ofNoBackoffAreZero() {
            assertThat(millis(Backoff.none(), 3)).containsOnly(0L);
        }
    }

    @Nested
    class WhatIsRefused {
        @Test
        void aFirstWaitThatIsNotPositive() {
            assertThatThrownBy(() -> Backoff.exponential(Duration.ZERO, Duration.ofSeconds(1)))
                    .hasMessage("first was PT0S, must be positive: give the first wait, or use Backoff.none()");
        }

        @Test
        void aCapBelowTheFirst() {
            assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                    .hasMessage("cap was PT1S, must be at least the first wait of PT2S: raise it");
        }

        @ParameterizedTest
        @ValueSource(doubles = {0.99, -1, Double.NaN, Double.POSITIVE_INFINITY})
        void aFactorBelowOne(double factor) {
            assertThatThrownBy(() -> DOUBLING.factor(factor)).hasMessageContaining("factor was " + factor);
        }

        @ParameterizedTest
        @ValueSource(doubles = {-0.01, 1.01, Double.NaN})
        void aJitterThatIsNoPart(double jitter) {
            assertThatThrownBy(() -> DOUBLING.jitter(jitter)).hasMessageContaining("jitter was " + jitter);
        }

        @Test
        void aResetAfterNothing() {
            assertThatThrownBy(() -> DOUBLING.resetAfter(Duration.ZERO)).hasMessageContaining("resetAfter was PT0S");
        }
    }

    @Nested
    class OfAChild {
        private final SupervisorWorld world = new SupervisorWorld();

        @AfterEach
        void close() {
            world.close();
        }

        private SupervisorSpec spec(SupervisorStrategy strategy) {
            return SupervisorSpec.of(strategy)
                    .intensity(100, Duration.ofMinutes(1))
                    .backoff(DOUBLING)
                    .child(world.child("a"))
                    .child(world.child("b"))
                    .child(world.child("c"));
        }

        /** How long it takes until a child is started again, to the millisecond. */
        private long millisUntilStarted(String id) {
            world.takeLog();
            for (long millis = 0; millis <= 2_000; millis++) {
                if (world.takeLog().contains("start " + id)) {
                    return millis;
                }
                world.advance(Duration.ofMillis(1));
            }
            throw new AssertionError(id + " was not started");
        }

        @Test
        void growsWithEachQuickFailureAndIsReset() {
            ProcessRef supervisor = world.start(spec(SupervisorStrategy.ONE_FOR_ONE));
            for (long expected : new long[] {100, 200, 400, 800, 1000, 1000}) {
                world.end(supervisor, "a", "throw");
                assertThat(world.entry(supervisor, "a").state()).isEqualTo(SupervisionTree.State.WAITING);
                assertThat(millisUntilStarted("a")).isEqualTo(expected);
            }
            world.advance(Duration.ofMillis(998)); // it has run for 1 ms less than what is stable
            world.end(supervisor, "a", "throw");
            assertThat(millisUntilStarted("a")).as("after an almost stable run").isEqualTo(1000);
            world.advance(Duration.ofSeconds(1));
            world.end(supervisor, "a", "throw");
            assertThat(millisUntilStarted("a")).as("after a stable run").isEqualTo(100);
        }

        @Test
        void growsAlsoWhenItDoesNotStart() {
            ProcessRef supervisor = world.start(spec(SupervisorStrategy.ONE_FOR_ONE));
            world.failingInits.put("a", 2);
            world.end(supervisor, "a", "throw");
            assertThat(millisUntilStarted("a")).isEqualTo(100 + 200 + 400);
        }

        @Test
        void doesNotConcernTheOthersOfOneForOne() {
            ProcessRef supervisor = world.start(spec(SupervisorStrategy.ONE_FOR_ONE));
            world.end(supervisor, "a", "throw");
            world.advance(Duration.ofMillis(60));
            world.end(supervisor, "b", "throw");
            assertThat(world.running(supervisor)).containsExactly("c");
            world.advance(Duration.ofMillis(40));
            assertThat(world.running(supervisor)).containsExactly("a", "c");
            world.advance(Duration.ofMillis(60));
            assertThat(world.running(supervisor)).containsExactly("a", "b", "c");
        }

        @Test
        void isThatOfTheWholeGroup() {
            ProcessRef supervisor = world.start(spec(SupervisorStrategy.ONE_FOR_ALL));
            world.end(supervisor, "b", "throw");
            world.takeLog();
            world.advance(Duration.ofMillis(99));
            assertThat(world.takeLog()).isEmpty();
            world.advance(Duration.ofMillis(1));
            assertThat(world.takeLog()).containsExactly("start a", "start b", "start c");
        }

        @Test
        void ofOneBeforeItKeepsTheOrderOfAGroup() {
            ProcessRef supervisor = world.start(spec(SupervisorStrategy.REST_FOR_ONE));
            world.end(supervisor, "c", "throw");
            world.advance(Duration.ofMillis(50));
            world.takeLog();
            world.end(supervisor, "b", "throw");
            world.advance(Duration.ofMillis(99));
            assertThat(world.takeLog()).containsExactly("end b");
            world.advance(Duration.ofMillis(1));
            assertThat(world.takeLog()).containsExactly("start b", "start c");
        }

        @Test
        void ofAGroupIsNotOvertakenByOneThatIsAdded() {
            ProcessRef supervisor = world.start(spec(SupervisorStrategy.REST_FOR_ONE));
            world.end(supervisor, "a", "throw");
            world.takeLog();
            CompletableFuture<?> added =
                    SupervisorRef.of(world.node, supervisor.pid()).start(world.child("d"));
            world.advance(Duration.ofMillis(99));
            assertThat(world.takeLog()).isEmpty();
            world.advance(Duration.ofMillis(1));
            assertThat(world.takeLog()).containsExactly("start a", "start b", "start c", "start d");
            assertThat(added).isCompleted();
        }

        @Test
        void isNotForgottenWhenItIsOverBetweenTwoLooksAtTheClock() {
            ProcessRef supervisor = world.start(SupervisorSpec.oneForOne()
                    .intensity(1_000, Duration.ofMillis(1))
                    .backoff(DOUBLING)
                    .child(world.child("a")));
            for (int millis = 1; millis <= 120; millis++) {
                world.tick(Duration.ofMillis(millis));
                world.end(supervisor, "a", "throw");
                world.tick(Duration.ZERO);
                world.advance(Duration.ofSeconds(2)); // fires the timer, if one was set
                assertThat(world.running(supervisor))
                        .as("with %d ms for each look", millis)
                        .containsExactly("a");
                world.advance(Duration.ofSeconds(2)); // the next wait is the first again
            }
        }

        @Test
        void canBeItsOwn() {
            ProcessRef supervisor = world.start(SupervisorSpec.oneForOne()
                    .backoff(DOUBLING)
                    .child(world.child("a").backoff(Backoff.none())));
            world.end(supervisor, "a", "throw");
            assertThat(world.running(supervisor)).containsExactly("a");
        }

        @Test
        void doesNotKeepTheSupervisorFromStopping() {
            ProcessRef supervisor = world.start(spec(SupervisorStrategy.ONE_FOR_ONE));
            world.end(supervisor, "a", "throw");
            supervisor.cancel("test");
            world.run();
            assertThat(supervisor.result()).isCompletedWithValue(null);
            world.takeLog();
            world.advance(Duration.ofSeconds(5));
            assertThat(world.takeLog()).isEmpty();
        }
    }
}

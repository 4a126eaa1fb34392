// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TimerWheelTest {
    private static final long TICK = 1_000;

    private final List<String> fired = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    private TimerWheel wheel(long originNanos) {
        return new TimerWheel(
                originNanos, TICK, (node, failure) -> failures.add(node + " threw " + failure.getMessage()));
    }

    private NamedTimer timer(String name) {
        return new NamedTimer(name, fired);
    }

    @Nested
    class GivenEmptyWheel {
        private final TimerWheel wheel = wheel(0);

        @Test
        void thenThereIsNoDeadline() {
            assertThat(wheel.nextDeadlineNanos()).isEqualTo(TimerWheel.NEVER);
            assertThat(wheel.announceSleep()).isEqualTo(TimerWheel.NEVER);
            assertThat(wheel.size()).isZero();
            assertThat(wheel.advance(Long.MAX_VALUE)).isZero();
        }

        @Test
        void whenIdleNodeIsCancelled_thenFalse() {
            assertThat(wheel.cancel(timer("idle"))).isFalse();
        }

        @Test
        void whenNodeOfAnotherWheelIsCancelled_thenFalseAndItStillFires() {
            var other = wheel(0);
            var node = timer("other's");
            other.start(node, 10);

            assertThat(wheel.cancel(node)).isFalse();
            assertThat(other.advance(10)).isEqualTo(1);
        }

        @Test
        void whenTickIsNotPositive_thenRefusedWithRemedy() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new TimerWheel(0, 0, (node, failure) -> {}))
                    .withMessage("tickNanos was 0, must be positive: use 1000000 unless you measured otherwise");
        }
    }

    @Nested
    class GivenStartedTimer {
        private final TimerWheel wheel = wheel(0);
        private final NamedTimer node = timer("node");

        GivenStartedTimer() {
            wheel.start(node, 5 * TICK + 3);
        }

        @Test
        void whenTimeIsOneNanosecondShort_thenItDoesNotFire() {
            assertThat(wheel.advance(5 * TICK + 2)).isZero();
            assertThat(fired).isEmpty();
            assertThat(wheel.size()).isEqualTo(1);
        }

        @Test
        void whenDeadlineIsReached_thenItFiresOnce() {
            assertThat(wheel.advance(5 * TICK + 3)).isEqualTo(1);
            assertThat(wheel.advance(500 * TICK)).isZero();
            assertThat(fired).containsExactly("node");
            assertThat(wheel.size()).isZero();
        }

        @Test
        void whenCancelled_thenItDoesNotFire() {
            assertThat(wheel.cancel(node)).isTrue();
            assertThat(wheel.cancel(node)).as("a second time").isFalse();
            assertThat(wheel.advance(500 * TICK)).isZero();
            assertThat(wheel.nextDeadlineNanos()).isEqualTo(TimerWheel.NEVER);
        }

        @Test
        void whenStartedAgain_thenRefusedWithRemedyAndTheFirstStartStands() {
            assertThatThrownBy(() -> wheel.start(node, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("timer node is started already, must be idle:"
                            + " cancel it first, or use one node per timer");
            assertThat(wheel.advance(TICK)).isZero();
            assertThat(wheel.advance(6 * TICK)).isEqualTo(1);
        }

        @Test
        void whenCancelledAndStartedAgain_thenOnlyTheSecondDeadlineCounts() {
            wheel.cancel(node);
            wheel.start(node, 9 * TICK);

            assertThat(wheel.advance(9 * TICK - 1)).isZero();
            assertThat(wheel.advance(9 * TICK)).isEqualTo(1);
        }

        @Test
        void whenTimeGoesBack_thenTheLatestTimeCounts() {
            wheel.advance(4 * TICK);
            var past = timer("past");
            wheel.start(past, 3 * TICK);

            assertThat(wheel.advance(0))
                    .as("the wheel has been at a later time")
                    .isEqualTo(1);
        }

        @Test
        void whenCleared_thenNodesAreIdleAndUnreferenced() {
            wheel.advance(5 * TICK);
            wheel.start(timer("arrival"), 0);
            wheel.start(timer("far"), Long.MAX_VALUE / 4);

            wheel.clear();

            assertThat(wheel.size()).isZero();
            assertThat(wheel.nextDeadlineNanos()).isEqualTo(TimerWheel.NEVER);
            assertThat(wheel.advance(Long.MAX_VALUE / 2)).isZero();
            assertThat(node.next).isSameAs(node);
            assertThat(wheel.cancel(node)).isFalse();
            assertThat(wheel.start(node, 0)).as("no driver sleeps").isFalse();
        }

        @Test
        void whenClosed_thenNothingFiresAndFurtherStartsAreRefused() {
            wheel.close();

            assertThat(wheel.advance(500 * TICK)).isZero();
            assertThatThrownBy(() -> wheel.start(timer("late"), 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("timer late was started in a wheel that is closed: start timers before closing it");
        }
    }

    @Nested
    class GivenSeveralTimers {
        private final TimerWheel wheel = wheel(0);

        @Test
        void whenDueAtOnce_thenFiredByDeadlineThenByStart() {
            wheel.start(timer("c"), 7 * TICK + 5);
            wheel.start(timer("a"), 7 * TICK + 1);
            wheel.start(timer("d"), 900 * TICK);
            wheel.start(timer("b1"), 7 * TICK + 4);
            wheel.start(timer("b2"), 7 * TICK + 4);
            wheel.start(timer("past"), -4);

            wheel.advance(1_000 * TICK);

            assertThat(fired).containsExactly("past", "a", "b1", "b2", "c", "d");
        }

        @Test
        void whenOneDeadlineIsReachedFromDifferentLevels_thenFiredByStart() {
            long deadline = 64 * 64 * TICK + 100 * TICK;
            wheel.start(timer("from level 2"), deadline);
            wheel.advance(64 * 64 * TICK + 10 * TICK);
            wheel.start(timer("from level 1"), deadline);
            wheel.advance(64 * 64 * TICK + 90 * TICK);
            wheel.start(timer("from level 0"), deadline);
            wheel.advance(deadline - 1);
            wheel.start(timer("of this tick"), deadline);

            wheel.advance(deadline);

            assertThat(fired).containsExactly("from level 2", "from level 1", "from level 0", "of this tick");
        }

        @Test
        void whenSlotHasMoreNodesThanOneDrainMoves_thenStartOrderIsKept() {
            int count = 3 * TimerSlots.DRAIN_BATCH_MAX + 1;
            var expected = new ArrayList<String>();
            for (int i = 0; i < count; i++) {
                wheel.start(timer("timer " + i), 5_000 * TICK);
                expected.add("timer " + i);
            }

            assertThat(wheel.advance(5_000 * TICK)).isEqualTo(count);
            assertThat(fired).isEqualTo(expected);
        }

        @Test
        void whenOneThrows_thenItIsReportedAndTheOthersFire() {
            wheel.start(timer("a"), 1);
            wheel.start(
                    timer("b").whenFired(() -> {
                        throw new IllegalStateException("out of thread");
                    }),
                    2);
            wheel.start(timer("c"), 3);

            assertThat(wheel.advance(TICK)).isEqualTo(3);
            assertThat(fired).containsExactly("a", "b", "c");
            assertThat(failures).containsExactly("b threw out of thread");
        }

        @Test
        void whenTheHandlerThrowsToo_thenThatIsThrownAfterAllHaveFired() {
            var strict = new TimerWheel(0, TICK, (node, failure) -> {
                throw new AssertionError("handler of " + node);
            });
            Runnable fail = () -> {
                throw new IllegalStateException();
            };
            strict.start(timer("a").whenFired(fail), 1);
            strict.start(timer("b").whenFired(fail), 2);
            strict.start(timer("c"), 3);

            assertThatThrownBy(() -> strict.advance(TICK))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("handler of a")
                    .hasSuppressedException(new AssertionError("handler of b"));
            assertThat(fired).containsExactly("a", "b", "c");
            assertThat(strict.advance(TICK)).as("the wheel can be driven on").isZero();
        }
    }

    @Nested
    class GivenTimerThatActsWhenItFires {
        private final TimerWheel wheel = wheel(0);

        @Test
        void whenItCancelsALaterOneOfTheSameInstant_thenThatDoesNotFire() {
            var victim = timer("victim");
            var cancelled = new ArrayList<Boolean>();
            wheel.start(timer("a").whenFired(() -> cancelled.add(wheel.cancel(victim))), 5);
            wheel.start(victim, 5);

            assertThat(wheel.advance(TICK)).isEqualTo(1);
            assertThat(cancelled).containsExactly(true);
            assertThat(fired).containsExactly("a");
        }

        @Test
        void whenItCancelsItself_thenFalse() {
            var self = timer("self");
            var cancelled = new ArrayList<Boolean>();
            wheel.start(self.whenFired(() -> cancelled.add(wheel.cancel(self))), 5);

            wheel.advance(TICK);

            assertThat(cancelled).as("it is firing").containsExactly(false);
        }

        @Test
        void whenItStartsItselfAgain_thenItIsPeriodicWithoutDrift() {
            var periodic = timer("beat");
            var deadlines = new ArrayList<Long>();
            wheel.start(
                    periodic.whenFired(() -> {
                        deadlines.add(periodic.deadlineNanos());
                        wheel.start(periodic, periodic.deadlineNanos() + 10 * TICK);
                    }),
                    10 * TICK);

            for (int i = 1; i <= 200; i++) {
                assertThat(wheel.advance(i * 10L * TICK + 7)).isEqualTo(1);
            }
            assertThat(deadlines).hasSize(200).endsWith(1_990 * TICK, 2_000 * TICK);
        }

        @Test
        void whenItStartsItselfWithNoDelay_thenItWaitsForTheNextAdvance() {
            var endless = timer("endless");
            wheel.start(endless.whenFired(() -> wheel.start(endless, 0)), 0);

            assertThat(wheel.advance(TICK)).isEqualTo(1);
            assertThat(wheel.advance(TICK)).isEqualTo(1);
            assertThat(wheel.nextDeadlineNanos()).isZero();
        }

        @Test
        void whenItStartsOneThatIsDueAlready_thenThatWaitsForTheNextAdvance() {
            wheel.start(timer("a").whenFired(() -> wheel.start(timer("b"), 3 * TICK)), 2 * TICK);
            wheel.start(timer("c"), 4 * TICK);

            wheel.advance(100 * TICK);
            assertThat(fired).containsExactly("a", "c");

            wheel.advance(100 * TICK);
            assertThat(fired).containsExactly("a", "c", "b");
        }

        @Test
        void whenItClearsTheWheel_thenNothingElseFires() {
            wheel.start(timer("a").whenFired(wheel::clear), 1);
            wheel.start(timer("b"), 2);
            wheel.start(timer("c"), 50 * TICK);

            assertThat(wheel.advance(100 * TICK)).isEqualTo(1);
            assertThat(wheel.size()).isZero();
        }

        @Test
        void whenItAdvancesTheWheel_thenRefusedWithRemedy() {
            var thrown = new AtomicReference<String>();
            wheel.start(
                    timer("a").whenFired(() -> {
                        try {
                            wheel.advance(5 * TICK);
                        } catch (IllegalStateException e) {
                            thrown.set(e.getMessage());
                        }
                    }),
                    1);

            wheel.advance(TICK);

            assertThat(thrown.get())
                    .isEqualTo("advance was called while it was running, must be called by one driver at a time:"
                            + " start a node that is due to have it fire soon");
        }
    }

    @Test
    void givenNodesThatEnded_thenTheWheelDoesNotKeepThem() {
        var wheel = wheel(0);
        var references = new ArrayList<WeakReference<TimerNode>>();
        startAndEndSome(wheel, references);

        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            System.gc();
            assertThat(references)
                    .allSatisfy(reference -> assertThat(reference.get()).isNull());
        });
        assertThat(wheel.size()).isZero();
    }

    private static void startAndEndSome(TimerWheel wheel, List<WeakReference<TimerNode>> references) {
        var log = new ArrayList<String>();
        for (int i = 0; i < 300; i++) {
            var node = new NamedTimer("timer " + i, log);
            references.add(new WeakReference<>(node));
            wheel.start(node, i * 50L * TICK);
            if (i % 3 == 0) {
                wheel.cancel(node);
            }
        }
        wheel.advance(200 * 50 * TICK);
        wheel.clear();
    }

    @Test
    void thenToStringTellsSizeAndDriver() {
        var wheel = wheel(0);
        wheel.start(timer("a"), 5);

        assertThat(wheel).hasToString("TimerWheel[size=1, tickNanos=1000, horizonTick=0, driver awake]");
        wheel.announceSleep();
        wheel.close();
        assertThat(wheel).hasToString("TimerWheel[size=0, tickNanos=1000, horizonTick=0, driver sleeps, closed]");
    }
}

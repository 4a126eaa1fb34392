// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a wheel makes of its driver's clock, and what it tells the driver about when to come back. */
class TimerWheelTimeTest {
    private static final long TICK = 1_000;

    private final List<String> fired = new ArrayList<>();

    private static TimerWheel wheel(long originNanos) {
        return new TimerWheel(originNanos, TICK, (node, failure) -> {
            throw new AssertionError(failure);
        });
    }

    private NamedTimer timer(String name) {
        return new NamedTimer(name, fired);
    }

    @Nested
    class GivenClockThatWraps {
        @ParameterizedTest
        @ValueSource(longs = {0, -1, -40 * TICK, Long.MAX_VALUE, Long.MAX_VALUE - 40 * TICK, Long.MIN_VALUE})
        void whenDeadlinesLieOnBothSides_thenFiredInOrder(long origin) {
            var wheel = wheel(origin);
            for (int i = 100; i > 0; i--) {
                wheel.start(timer("" + i), origin + i * TICK);
            }
            for (int i = 1; i <= 100; i++) {
                assertThat(wheel.nextDeadlineNanos() - (origin + i * TICK)).isLessThanOrEqualTo(0);
                assertThat(wheel.advance(origin + i * TICK - 1)).isZero();
                assertThat(wheel.advance(origin + i * TICK)).isEqualTo(1);
                assertThat(fired).hasSize(i).last().isEqualTo("" + i);
            }
        }

        @Test
        void whenTheDeadlineHasTheValueThatMeansNever_thenAnEarlierTimeIsReported() {
            long origin = Long.MAX_VALUE - 10;
            var wheel = wheel(origin);
            wheel.advance(origin + 1);
            wheel.start(timer("a"), Long.MAX_VALUE);
            wheel.advance(origin + 2);

            assertThat(wheel.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE - 1);
            assertThat(wheel.advance(Long.MAX_VALUE - 1)).isZero();
            assertThat(wheel.advance(Long.MAX_VALUE)).isEqualTo(1);
        }

        @ParameterizedTest
        @ValueSource(longs = {0, -5, Long.MAX_VALUE, Long.MIN_VALUE})
        void whenTheDelayIsTheLongest_thenItDoesNotFireEarly(long origin) {
            var wheel = wheel(origin);
            wheel.start(timer("a"), TimerWheel.deadline(origin, Long.MAX_VALUE));

            assertThat(wheel.advance(origin + TimerWheel.DELAY_NANOS_MAX - 1)).isZero();
            assertThat(wheel.advance(origin + TimerWheel.DELAY_NANOS_MAX)).isEqualTo(1);
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 999, 1_000_000, 1L << 61, Long.MAX_VALUE})
        void whenTheTickIsVeryShortOrLong_thenLongDelaysFitToo(long tickNanos) {
            long origin = Long.MAX_VALUE - 10;
            var wheel = new TimerWheel(origin, tickNanos, (node, failure) -> {});
            wheel.advance(origin + 12_345);
            // The first tick of a slot of the highest level.
            long deadline = origin + (1L << 62);
            wheel.start(timer("a"), deadline);
            wheel.start(timer("b"), origin + 12_347);

            assertThat(wheel.announceSleep() - (origin + 12_347)).isNotNegative();
            assertThat(wheel.advance(origin + 12_347)).isEqualTo(1);
            assertThat(wheel.nextDeadlineNanos() - deadline).isLessThanOrEqualTo(0);
            assertThat(wheel.advance(deadline - 1)).isZero();
            assertThat(wheel.advance(deadline)).isEqualTo(1);
        }

        @Test
        void whenADelayIsAdded_thenItIsKeptInRange() {
            assertThat(TimerWheel.deadline(7, 5)).isEqualTo(12);
            assertThat(TimerWheel.deadline(7, -5)).isEqualTo(7);
            assertThat(TimerWheel.deadline(7, TimerWheel.DELAY_NANOS_MAX))
                    .isEqualTo(TimerWheel.deadline(7, TimerWheel.DELAY_NANOS_MAX + 1))
                    .isEqualTo(7 + TimerWheel.DELAY_NANOS_MAX);
        }
    }

    @Nested
    class GivenDriverThatSleeps {
        private final TimerWheel wheel = wheel(0);

        @Test
        void whenItHasNotAnnouncedSleep_thenItNeedNotBeWoken() {
            assertThat(wheel.start(timer("a"), TICK)).isFalse();
        }

        @Test
        void whenTimerIsForAnEarlierTick_thenItMustBeWokenOnce() {
            wheel.start(timer("a"), 50 * TICK + 1);

            assertThat(wheel.announceSleep()).as("the end of the tick").isEqualTo(51 * TICK);
            assertThat(wheel.start(timer("same tick"), 50 * TICK)).isFalse();
            assertThat(wheel.start(timer("later"), 60 * TICK)).isFalse();
            assertThat(wheel.start(timer("earlier"), 40 * TICK)).isTrue();
            assertThat(wheel.start(timer("same again"), 40 * TICK + 1))
                    .as("it is waking up already")
                    .isFalse();
            assertThat(wheel.start(timer("earliest"), 30 * TICK)).isTrue();
            assertThat(wheel.announceSleep()).isEqualTo(31 * TICK);
        }

        @Test
        void whenItHasAdvancedSince_thenItIsAwakeAndNeedNotBeWoken() {
            wheel.announceSleep();
            wheel.advance(TICK);

            assertThat(wheel.start(timer("a"), 2 * TICK)).isFalse();
        }

        @Test
        void whenItSleepsForEver_thenAnyTimerMustWakeIt() {
            wheel.announceSleep();

            assertThat(wheel.start(timer("a"), TimerWheel.deadline(0, Long.MAX_VALUE)))
                    .isTrue();
        }

        @Test
        void whenTimeIsAnnounced_thenItIsAtMostOneTickAfterTheNextDeadline() {
            for (long deadline = 1; deadline < 10_000 * TICK; deadline += deadline / 4 + 1) {
                var wheel = wheel(0);
                wheel.start(timer("a"), deadline);
                long wake = 0;
                for (int rounds = 0; wheel.size() > 0; rounds++) {
                    assertThat(rounds).as("one per level").isLessThan(3);
                    wake = wheel.announceSleep();
                    assertThat(wake - deadline).isLessThanOrEqualTo(TICK);
                    wheel.advance(wake);
                }
                assertThat(wake).isGreaterThanOrEqualTo(deadline);
            }
        }

        @Test
        void whenSteppedFromDeadlineToDeadline_thenOneFiresAfterFewRounds() {
            int levels = 9;
            for (long deadline = 1; deadline < Long.MAX_VALUE / 4; deadline += deadline / 8 + 1) {
                var wheel = wheel(0);
                wheel.start(timer("a"), deadline);
                for (int rounds = 0; wheel.size() > 0; rounds++) {
                    assertThat(rounds).isLessThan(levels + 2);
                    assertThat(wheel.nextDeadlineNanos()).isLessThanOrEqualTo(deadline);
                    wheel.advance(wheel.nextDeadlineNanos());
                }
            }
        }
    }
}

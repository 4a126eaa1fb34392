// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What happens between two steps of one advance, which only another thread can make happen to a wheel. */
class TimerSetTest {
    private static final int SLOT_BITS = 6;
    private static final long LEVEL_2 = 64 * 64;

    private final List<String> log = new ArrayList<>();

    /* One tick is one nanosecond, so that deadlines are ticks. */
    private final TimerSet timers = new TimerSet(0, 1, SLOT_BITS);

    @Nested
    class GivenSlotThatIsHalfDrained {
        private static final long FIRST_TICK = 3 * LEVEL_2;
        private static final long DEADLINE = FIRST_TICK + 70;

        private final List<NamedTimer> nodes = new ArrayList<>();

        @BeforeEach
        void drainHalf() {
            for (int i = 0; i < TimerSlots.DRAIN_BATCH_MAX + 10; i++) {
                var node = new NamedTimer("timer " + i, log);
                nodes.add(node);
                timers.add(node, DEADLINE);
            }
            timers.moveTo(FIRST_TICK);
            assertThat(timers.step()).as("a batch").isTrue();
        }

        @Test
        void whenNodesAreAdded_thenTheyFireAfterThoseAddedBefore() {
            var late = new NamedTimer("late", log);
            timers.add(late, DEADLINE);
            nodes.add(late);

            assertThat(fireUntil(DEADLINE - 1)).isEmpty();
            assertThat(fireUntil(DEADLINE)).isEqualTo(nodes);
        }

        @Test
        void whenAnEarlierOneIsAdded_thenItIsFirst() {
            var early = new NamedTimer("early", log);
            timers.add(early, DEADLINE - 1);

            assertThat(fireUntil(DEADLINE)).hasSize(nodes.size() + 1).startsWith(early);
        }

        @Test
        void whenTheOthersAreRemoved_thenTheSlotCanBeUsedInItsNextRound() {
            nodes.forEach(timers::remove);
            var near = new NamedTimer("near", log);
            var nextRound = new NamedTimer("next round", log);
            long round = 64 * LEVEL_2;

            assertThat(fireUntil(round)).isEmpty();
            timers.add(nextRound, round + DEADLINE);
            timers.add(near, round + 5);

            assertThat(timers.nextDeadlineNanos()).isEqualTo(round + 5);
            assertThat(fireUntil(round + LEVEL_2)).containsExactly(near);
            assertThat(fireUntil(round + DEADLINE)).containsExactly(nextRound);
        }

        @Test
        void whenAskedForTheNextDeadline_thenItIsNotLaterThanThatOfTheNodesLeft() {
            assertThat(timers.nextDeadlineNanos()).isLessThanOrEqualTo(DEADLINE);
        }
    }

    @Nested
    class GivenArrivals {
        @Test
        void whenTheEarliestIsRemoved_thenTheNextDeadlineIsTooEarlyUntilTimeMoves() {
            timers.moveTo(100);
            var early = new NamedTimer("early", log);
            var late = new NamedTimer("late", log);
            timers.add(early, 10);
            timers.add(late, 20);
            timers.remove(early);

            assertThat(timers.nextDeadlineNanos()).isEqualTo(10);
            timers.moveTo(100);
            assertThat(timers.nextDeadlineNanos()).isEqualTo(20);
            assertThat(fireUntil(100)).containsExactly(late);
        }
    }

    private List<TimerNode> fireUntil(long nowNanos) {
        var fired = new ArrayList<TimerNode>();
        timers.moveTo(nowNanos);
        do {
            for (TimerNode node = timers.firstDue(); node != null; node = timers.firstDue()) {
                timers.remove(node);
                fired.add(node);
            }
        } while (timers.step());
        return fired;
    }
}

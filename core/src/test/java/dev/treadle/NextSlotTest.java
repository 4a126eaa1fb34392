// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What one thread at a time can see; the races are in the stress tests. */
class NextSlotTest {
    private final SteppedScheduler stepped = Scheduler.builder().stepped();
    private final ProcessCell waiting = cell();
    private final ProcessCell running = cell();

    private ProcessCell cell() {
        return stepped.scheduler()
                .submit(Process.of((events, out) -> {}), "main")
                .pid()
                .cell();
    }

    @AfterEach
    void close() {
        stepped.close();
    }

    /** Its owner has left turn 7, and put a young one in its place. */
    @Nested
    class GivenOneThatWasRenewed {
        private final NextSlot old = new NextSlot();
        private final NextSlot young = renewed();

        private NextSlot renewed() {
            old.put(waiting);
            return old.renewed(7);
        }

        @Test
        void thenWhatWasInTheOldOneIsInTheYoungOneAlone() {
            assertThat(old.take()).isNull();
            assertThat(young.take()).isSameAs(waiting);
            assertThat(young.take()).isNull();
        }

        @Test
        void whenTheLastTurnSlept_thenTheOwnerTakesItOnce() {
            assertThat(young.takeAfterTurn(true)).isSameAs(waiting);
            assertThat(young.takeAfterTurn(true)).isNull();
        }

        @Test
        void whenTheLastTurnDidNotSleep_thenTheOwnerTakesItOnce() {
            assertThat(young.takeAfterTurn(false)).isSameAs(waiting);
            assertThat(young.takeAfterTurn(false)).isNull();
        }

        @Test
        void whenTheWatchdogBelievesInTheLastTurnOrOneBefore_thenItLeavesItAlone() {
            assertThat(young.takeWhileIn(7, running)).isNull();
            assertThat(young.takeWhileIn(6, running)).isNull();
            assertThat(young.take()).isSameAs(waiting);
        }

        @Test
        void whenTheOwnerIsHeldUpInTheNextTurn_thenTheWatchdogTakesIt() {
            assertThat(young.takeWhileIn(8, running)).isSameAs(waiting);
            assertThat(young.isEmpty()).isTrue();
        }

        @Test
        void whenTheWatchdogStillHasTheOldOne_thenItFindsNothing() {
            assertThat(old.takeWhileIn(7, running)).isNull();
            assertThat(young.take()).isSameAs(waiting);
        }
    }

    @Test
    void givenAnEmptyOne_whenRenewed_thenTheYoungOneIsEmpty() {
        assertThat(new NextSlot().renewed(1).isEmpty()).isTrue();
    }
}

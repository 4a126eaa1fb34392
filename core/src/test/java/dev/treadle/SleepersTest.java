// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SleepersTest {
    private static final int WORKERS = 4;

    private final Sleepers sleepers = new Sleepers(WORKERS, WORKERS);

    @Test
    void givenNobodyAsleep_whenWorkIsMade_thenNobodyIsWoken() {
        assertThat(sleepers.claim()).isEqualTo(Sleepers.NOBODY);
        assertThat(sleepers.asleep()).isZero();
    }

    @Test
    void givenOneWorker_whenItSearches_thenAtLeastOneMay() {
        var one = new Sleepers(1, 1);

        assertThat(one.tryStartSearching()).isTrue();
        assertThat(one.tryStartSearching()).isFalse();
    }

    @Test
    void givenFourWorkers_whenTheySearch_thenAtMostHalfMay() {
        assertThat(sleepers.tryStartSearching()).isTrue();
        assertThat(sleepers.tryStartSearching()).isTrue();
        assertThat(sleepers.tryStartSearching()).isFalse();
        assertThat(sleepers.stopSearching()).as("another one still searches").isFalse();
        assertThat(sleepers.stopSearching()).as("the last one").isTrue();
    }

    @Nested
    class GivenThreeAsleep {
        GivenThreeAsleep() {
            sleepers.announce(2, false);
            sleepers.announce(0, false);
            sleepers.announce(3, false);
        }

        @Test
        void whenWorkIsMade_thenTheLastToSleepIsWokenAndSearches() {
            assertThat(sleepers.claim()).isEqualTo(3);
            assertThat(sleepers.claim()).as("3 searches").isEqualTo(Sleepers.NOBODY);
            assertThat(sleepers.stopSearching()).isTrue();
            assertThat(sleepers.claim()).isEqualTo(0);
            assertThat(sleepers.asleep()).isEqualTo(1);
        }

        @Test
        void whenTheWokenOneSleepsAgain_thenItIsNoLongerSearching() {
            int woken = sleepers.claim();
            sleepers.announce(woken, true);

            assertThat(sleepers.asleep()).isEqualTo(3);
            assertThat(sleepers.claim()).isEqualTo(woken);
        }

        @Test
        void whenAllAreWoken_thenWhoeverSearches() {
            assertThat(sleepers.claimAny()).isEqualTo(3);
            assertThat(sleepers.claimAny()).isEqualTo(0);
            assertThat(sleepers.claimAny()).isEqualTo(2);
            assertThat(sleepers.claimAny()).isEqualTo(Sleepers.NOBODY);
        }
    }
}

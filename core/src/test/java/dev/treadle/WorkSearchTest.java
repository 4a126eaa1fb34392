// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** S1: what a worker without work does before it sleeps. */
class WorkSearchTest {
    @ParameterizedTest
    @CsvSource({"1, false", "3, false", "4, true", "15, true"})
    void aWorkerThatWasBusySpinsThreeTimesAndThenYields(int looks, boolean yields) {
        assertThat(WorkSearch.yields(looks, 16)).isEqualTo(yields);
        assertThat(WorkSearch.yields(looks, 1_000_000)).isEqualTo(yields);
    }

    /** Catches a worker that pays for its yields each time it is woken for a single message: 8 us on Linux. */
    @ParameterizedTest
    @CsvSource({"0", "1", "15"})
    void aWorkerThatWasWokenForAFewTurnsDoesNotYield(int turns) {
        for (int looks = 1; looks < WorkSearch.SPINS_YIELDING; looks++) {
            assertThat(WorkSearch.yields(looks, turns)).as("look %d", looks).isFalse();
        }
    }
}

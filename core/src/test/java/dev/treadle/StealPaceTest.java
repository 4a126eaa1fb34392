// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** S5: how long a worker that is out of work leaves the others' queues alone. */
class StealPaceTest {
    private static final long START = -7; // a clock may begin anywhere

    private final StealPace pace = new StealPace();
    private long now = START;
    private long turns;

    private long restAfter(long haulTurns, long haulNanos) {
        pace.hauled(now, turns);
        assertThat(pace.hasHauled()).isTrue();
        now += haulNanos;
        turns += haulTurns;
        long rest = pace.restNanos(now, turns);
        assertThat(pace.hasHauled()).as("counted once").isFalse();
        return rest;
    }

    @Test
    void whoHasStolenNothingDoesNotRest() {
        assertThat(pace.hasHauled()).isFalse();
    }

    @Test
    void aFewShortTurnsWereNotWorthIt() {
        assertThat(restAfter(10, 10 * StealPace.TURN_WORTH_NANOS - 1)).isEqualTo(StealPace.REST_NANOS_MIN);
    }

    @Test
    void longTurnsWereWorthIt() {
        assertThat(restAfter(10, 10 * StealPace.TURN_WORTH_NANOS)).isZero();
        assertThat(restAfter(1, StealPace.TURN_WORTH_NANOS)).isZero();
    }

    @Test
    void shortTurnsThatGoOnForLongWereWorthIt() {
        assertThat(restAfter(10_000, StealPace.HAUL_WORTH_NANOS)).isZero();
        assertThat(restAfter(10_000, StealPace.HAUL_WORTH_NANOS - 1)).isEqualTo(StealPace.REST_NANOS_MIN);
    }

    @Test
    void eachRestIsTwiceAsLongUpToALook() {
        long expected = StealPace.REST_NANOS_MIN;
        for (int i = 0; i < 20; i++) {
            assertThat(restAfter(30, 9_000)).isEqualTo(expected);
            expected = Math.min(2 * expected, StealPace.REST_NANOS_MAX);
        }
        assertThat(expected).isEqualTo(WorkerQueues.LOOK_NANOS);
    }

    @Test
    void oneHaulThatWasWorthItEndsIt() {
        for (int i = 0; i < 20; i++) {
            restAfter(30, 9_000);
        }
        assertThat(restAfter(1, 1_000_000)).isZero();
        assertThat(restAfter(30, 9_000)).isEqualTo(StealPace.REST_NANOS_MIN);
    }

    @Test
    void soDoesASleep() {
        for (int i = 0; i < 20; i++) {
            restAfter(30, 9_000);
        }
        pace.slept();
        assertThat(restAfter(30, 9_000)).isEqualTo(StealPace.REST_NANOS_MIN);
    }
}

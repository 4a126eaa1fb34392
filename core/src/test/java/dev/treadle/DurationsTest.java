// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    private static final long MOST = Long.MAX_VALUE / 2;
    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    private static final Duration MOST_NEGATIVE = Duration.ofSeconds(Long.MIN_VALUE);

    @ParameterizedTest
    @ValueSource(longs = {1, 999_999_999, 1_000_000_000, MOST - 1, MOST})
    void whenItFits_thenItIsExact(long nanos) {
        assertThat(Durations.positiveNanos("timeout", Duration.ofNanos(nanos))).isEqualTo(nanos);
        assertThat(Durations.nanosFromZero("timeout", Duration.ofNanos(nanos))).isEqualTo(nanos);
    }

    /** So long that its nanoseconds would not fit, or would come round when the clock is added. */
    @Test
    void whenItIsTooLong_thenItIsTheMost() {
        for (Duration duration :
                new Duration[] {Duration.ofNanos(MOST).plusNanos(1), Duration.ofDays(1_000_000), LONGEST}) {
            assertThat(Durations.positiveNanos("timeout", duration)).isEqualTo(MOST);
            assertThat(Durations.nanosFromZero("timeout", duration)).isEqualTo(MOST);
        }
    }

    @Test
    void whenItIsZero_thenOnlyWhereAWaitIsAskedForItIsRefused() {
        assertThat(Durations.nanosFromZero("timeout", Duration.ZERO)).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.positiveNanos("timeout", Duration.ZERO))
                .withMessage("timeout was PT0S, must be positive: give a duration such as Duration.ofSeconds(1)");
    }

    @Test
    void whenItIsNegative_thenItIsRefused() {
        for (Duration duration : new Duration[] {Duration.ofNanos(-1), Duration.ofSeconds(-5), MOST_NEGATIVE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Durations.positiveNanos("timeout", duration))
                    .withMessage("timeout was " + duration
                            + ", must be positive: give a duration such as Duration.ofSeconds(1)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Durations.nanosFromZero("deadline", duration))
                    .withMessage("deadline was " + duration + ", must not be negative: use Duration.ZERO for no wait");
        }
    }

    @Test
    void whenItIsNull_thenItIsRefusedByName() {
        assertThatNullPointerException()
                .isThrownBy(() -> Durations.positiveNanos("timeout", null))
                .withMessage("timeout is null: give a duration such as Duration.ofSeconds(1)");
        assertThatNullPointerException()
                .isThrownBy(() -> Durations.nanosFromZero("deadline", null))
                .withMessage("deadline is null: give a duration such as Duration.ofSeconds(1)");
    }

    /** Where users give durations to a scheduler: the names in the messages are those of the parameters. */
    @Test
    void whenASchedulerIsGivenABadDuration_thenItSaysWhichAndDoesNothing() {
        try (SteppedScheduler stepped = Scheduler.builder().stepped()) {
            ProcessRef ref = stepped.scheduler().submit(TrackedProcess.idle(), "main");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ref.cancel("why", Duration.ofMillis(-1)))
                    .withMessageStartingWith("deadline was PT-0.001S, must not be negative");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> stepped.scheduler().shutdown(Duration.ofMillis(-1)))
                    .withMessageStartingWith("timeout was PT-0.001S, must not be negative");
            assertThat(stepped.scheduler().isStopping()).isFalse();
            assertThat(ref.pid().cell().isCancelled()).isFalse();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.Objects;

/** Turns durations that users give into nanoseconds. */
final class Durations {
    /** About 146 years: far enough from the end of a long that sums with the clock do not come round. */
    static final long NANOS_MAX = Long.MAX_VALUE / 2;

    private Durations() {}

    static long positiveNanos(String name, Duration duration) {
        Objects.requireNonNull(duration, () -> name + " is null: give a duration such as Duration.ofSeconds(1)");
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(
                    name + " was " + duration + ", must be positive: give a duration such as Duration.ofSeconds(1)");
        }
        return toNanos(duration);
    }

    static long nanosFromZero(String name, Duration duration) {
        Objects.requireNonNull(duration, () -> name + " is null: give a duration such as Duration.ofSeconds(1)");
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    name + " was " + duration + ", must not be negative: use Duration.ZERO for no wait");
        }
        return toNanos(duration);
    }

    private static long toNanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(NANOS_MAX)) >= 0 ? NANOS_MAX : duration.toNanos();
    }
}

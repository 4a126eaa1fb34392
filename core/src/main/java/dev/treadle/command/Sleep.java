// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.command;

import dev.treadle.Command;
import java.time.Duration;
import java.util.Objects;

/**
 * Completes after a while, with no data. Never early; on an idle machine at most 3 ms late. No thread waits for it.
 *
 * <pre>{@code
 * out.yield(new Sleep(Duration.ofSeconds(5)), 1);
 * }</pre>
 *
 * <p>A cancel does not cut it short: the process hears of the cancel, and may end or sleep on. The end of the process does.
 *
 * @param duration how long; zero completes at once
 */
public record Sleep(Duration duration) implements Command {
    /**
     * Checks the duration.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Sleep {
        Objects.requireNonNull(duration, "duration is null: say how long to sleep");
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    "duration was " + duration + ", must not be negative: use zero to go on at once");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.command;

import dev.treadle.Command;
import java.time.Instant;
import java.util.Objects;

/**
 * Completes at a time of day, with no data; at once if that is past. Never early, also if the clock is set back meanwhile;
 * if it is set forward, up to a minute late.
 *
 * <pre>{@code
 * out.yield(new WaitUntil(auction.end()), 1);
 * }</pre>
 *
 * @param instant when, by the scheduler's {@link dev.treadle.TimeSource}
 */
public record WaitUntil(Instant instant) implements Command {
    /** Checks that the instant is there. */
    public WaitUntil {
        Objects.requireNonNull(instant, "instant is null: say until when to wait");
    }
}

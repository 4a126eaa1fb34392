// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Instant;

/** Where a scheduler takes the time from: the machine's clocks, or a clock that a test moves. */
public interface TimeSource {
    /** The machine's clocks. */
    TimeSource SYSTEM = new SystemTime();

    /** Returns a number of nanoseconds that never goes back; only differences mean something. */
    long nanos();

    /** Returns the time of day. */
    Instant instant();
}

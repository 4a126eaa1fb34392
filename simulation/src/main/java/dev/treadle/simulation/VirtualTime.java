// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.TimeSource;
import java.time.Instant;

/** A clock that stands still until it is told to move. One thread only. */
final class VirtualTime implements TimeSource {
    /** The wall clock at the start of every simulation: any fixed time will do, and this one is easy to read. */
    static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private long nanos;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant instant() {
        return START.plusNanos(nanos);
    }

    /** Moves the clock on; a time past leaves it where it is. */
    void moveTo(long toNanos) {
        nanos = Math.max(nanos, toNanos);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Instant;

/** The machine's clocks. */
final class SystemTime implements TimeSource {
    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant instant() {
        return Instant.now();
    }

    @Override
    public String toString() {
        return "TimeSource.SYSTEM";
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import java.util.ArrayDeque;
import java.util.Deque;

/** Counts the restarts of a period. Never holds more than the intensity and one. */
final class RestartWindow {
    private final int intensity;
    private final long periodNanos;
    private final Deque<Long> times = new ArrayDeque<>();

    RestartWindow(int intensity, long periodNanos) {
        this.intensity = intensity;
        this.periodNanos = periodNanos;
    }

    /** Counts a restart; false if it is one too many. */
    boolean admit(long nowNanos) {
        while (!times.isEmpty() && nowNanos - times.getFirst() > periodNanos) {
            times.removeFirst();
        }
        times.addLast(nowNanos);
        return times.size() <= intensity;
    }
}

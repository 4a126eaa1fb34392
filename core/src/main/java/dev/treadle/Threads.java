// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for threads. */
final class Threads {
    private Threads() {}

    /** Waits for a thread to end. An interrupt of the caller ends the wait, and is kept. */
    static boolean join(Thread thread, Duration timeout) {
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, timeout.toNanos()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for threads. */
final class Threads {
    private Threads() {}

    /** Waits for a thread to end; not for itself. An interrupt of the caller is kept for later, the wait is short. */
    static boolean join(Thread thread, Duration timeout) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        try {
            while (thread.isAlive() && thread != Thread.currentThread()) {
                long leftNanos = deadlineNanos - System.nanoTime();
                if (leftNanos <= 0) {
                    break;
                }
                try {
                    TimeUnit.NANOSECONDS.timedJoin(thread, leftNanos);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return !thread.isAlive();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The state of timers, the same for each peer: how long each process sleeps, and that none woke too early. */
public final class Sleeps {
    private static final long SEED = 42;

    /** Clocks differ by that much: a timer may be set by one and checked by another. */
    private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final long[] startedNanos;
    private final byte[] millis;
    private final CountDownLatch left;

    /** Chooses the sleeps. */
    public Sleeps(int count) {
        startedNanos = new long[count];
        millis = new byte[count];
        left = new CountDownLatch(count);
        var random = new SplittableRandom(SEED);
        for (int i = 0; i < count; i++) {
            millis[i] = (byte) (1 + random.nextInt(Shape.SLEEP_MILLIS_MAX));
        }
    }

    /** A process that goes to sleep: for how long. */
    public int start(int process) {
        startedNanos[process] = System.nanoTime();
        return millis[process];
    }

    /** A process that woke up. */
    public void end(int process) {
        long slept = System.nanoTime() - startedNanos[process];
        if (slept < TimeUnit.MILLISECONDS.toNanos(millis[process]) - TOLERANCE_NANOS) {
            throw new IllegalStateException(
                    "process " + process + " slept " + slept + " ns, must be " + millis[process] + " ms at least");
        }
        left.countDown();
    }

    /** From outside: waits for all. */
    public void check() throws InterruptedException {
        Check.all("timers", left);
    }
}

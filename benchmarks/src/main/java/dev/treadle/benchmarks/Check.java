// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Checks what a workload gave: a figure without its check is worth nothing. */
public final class Check {
    private static final long PATIENCE_SECONDS = 120;

    private Check() {}

    /** Throws unless the two are the same. */
    public static void same(String what, long expected, long actual) {
        if (expected != actual) {
            throw new IllegalStateException(
                    what + " was " + actual + ", must be " + expected + ": something was lost, doubled or mixed up");
        }
    }

    /** Waits, outside of the system that is measured, until all have counted down. */
    public static void all(String what, CountDownLatch latch) throws InterruptedException {
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(what + ": " + latch.getCount() + " are missing after " + PATIENCE_SECONDS
                    + " s, something was lost");
        }
    }

    /** The tiny computation of fjthrow and fjcreate: a few nanoseconds, and its result is checked. */
    public static long compute(long seed) {
        long x = seed + 0x9e3779b97f4a7c15L;
        x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
        x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
        return x ^ (x >>> 31);
    }

    /** Returns the sum of {@link #compute} from 0 up to, but not including, a count. */
    public static long computeAll(int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += compute(i);
        }
        return sum;
    }
}

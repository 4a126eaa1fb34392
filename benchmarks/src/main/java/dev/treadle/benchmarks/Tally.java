// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** What processes report when they are done, summed up. */
public final class Tally {
    private final LongAdder sum = new LongAdder();
    private final CountDownLatch left;

    /** Expects so many reports. */
    public Tally(int reports) {
        left = new CountDownLatch(reports);
    }

    /** A process that is done: how much it did. */
    public void done(long part) {
        sum.add(part);
        left.countDown();
    }

    /** From outside: waits for all reports, and checks their sum. */
    public void check(String what, long expected) throws InterruptedException {
        Check.all(what, left);
        Check.same(what, expected, sum.sum());
    }
}

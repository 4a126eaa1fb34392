// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The state of fjcreate, the same for each peer: how many were created and have ended, and what they computed. */
public final class Creations {
    private final int count;
    private final AtomicInteger ended = new AtomicInteger();
    private final LongAdder sum = new LongAdder();
    private final CountDownLatch done = new CountDownLatch(1);
    private int created;

    /** Expects so many processes. */
    public Creations(int count) {
        this.count = count;
    }

    /** The creator: whether there is one more to create. */
    public boolean hasNext() {
        return created < count;
    }

    /** The creator: whether it must let others end before it creates one. */
    public boolean isFull() {
        return created - ended.get() >= Shape.ALIVE_MAX;
    }

    /** The creator: counts one, and returns the message to send to it. */
    public Integer next() {
        return created++;
    }

    /** A process, when it got its message and ends. */
    public void ended(int message) {
        sum.add(Check.compute(message));
        if (ended.incrementAndGet() == count) {
            done.countDown();
        }
    }

    /** From outside: waits for the end, and checks. */
    public void check() throws InterruptedException {
        Check.all("fjcreate", done);
        Check.same("sum of fjcreate", Check.computeAll(count), sum.sum());
    }
}

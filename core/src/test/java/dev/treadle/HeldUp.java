// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** User code that holds its thread, in ways that are hard to end, until the test lets it go. */
final class HeldUp {
    final AtomicInteger entered = new AtomicInteger();
    final AtomicInteger interrupted = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean mayReturn;

    /** Ends what is held up still. */
    void release() {
        mayReturn = true;
        released.countDown();
    }

    /** Loops, and looks at nothing else. */
    void loopForEver() {
        entered.incrementAndGet();
        while (!mayReturn) {
            Thread.onSpinWait();
        }
    }

    /** Blocks, and goes on blocking when interrupted: like a loop, but leaves the processor to others. */
    void blockDeafly() {
        entered.incrementAndGet();
        while (!mayReturn) {
            LockSupport.parkNanos(this, 1_000_000);
            if (Thread.interrupted()) {
                interrupted.incrementAndGet();
            }
        }
    }

    /** Blocks until it is interrupted. */
    void block() throws InterruptedException {
        entered.incrementAndGet();
        try {
            released.await();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.util.concurrent.CountDownLatch;

/** The state of idle-memory, the same for each peer: whether all processes have handled a message. */
public final class RollCall {
    private final int count;
    private volatile CountDownLatch missing;

    /** Calls so many. */
    public RollCall(int count) {
        this.count = count;
        this.missing = new CountDownLatch(count);
    }

    /** From outside: calls all once more. */
    public void again() {
        missing = new CountDownLatch(count);
    }

    /** A process, when it got a message. */
    public void here() {
        missing.countDown();
    }

    /** From outside: waits for all. */
    public void check() throws InterruptedException {
        Check.all("idle processes", missing);
    }
}

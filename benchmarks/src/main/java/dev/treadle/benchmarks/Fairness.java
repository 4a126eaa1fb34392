// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The state of fairness, the same for each peer: hogs that always want another turn, and a crowd that wants one each. */
public final class Fairness {
    private static final long BUSY_NANOS = 5_000;
    private static final long HOGS_START_MILLIS_MAX = 200;

    private final int crowd;
    private final CountDownLatch ran;
    private final CountDownLatch hogsStarted = new CountDownLatch(Shape.HOGS);
    private final CountDownLatch hogsEnded = new CountDownLatch(Shape.HOGS);
    private volatile boolean over;

    /** A crowd of so many. */
    public Fairness(int crowd) {
        this.crowd = crowd;
        this.ran = new CountDownLatch(crowd);
    }

    /** Returns how many want one turn each. */
    public int crowd() {
        return crowd;
    }

    /** A hog, before its first turn. */
    public void hogStarted() {
        hogsStarted.countDown();
    }

    /** A hog: spends a turn of some microseconds; false if it shall want no other. */
    public boolean hogTurn() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < BUSY_NANOS) {
            Thread.onSpinWait();
        }
        if (over) {
            hogsEnded.countDown();
        }
        return !over;
    }

    /** One of the crowd, when it got its message. */
    public void ran() {
        ran.countDown();
    }

    /**
     * From outside: sends to the crowd while the hogs are busy, and waits until the last one has run.
     *
     * @param sendToAll sends one message to each of the crowd
     * @return how long it took, or a negative number: how many starved
     */
    public double millis(Runnable sendToAll, long limitMillis) throws InterruptedException {
        boolean allStarted = awaitHogs();
        long start = System.nanoTime();
        sendToAll.run();
        boolean fair = ran.await(limitMillis, TimeUnit.MILLISECONDS);
        double millis = (System.nanoTime() - start) / 1e6;
        long starved = ran.getCount();
        over = true;
        Check.all("turns of the crowd after the hogs ended", ran);
        awaitEnds(allStarted);
        return fair ? millis : -starved;
    }

    /** From outside: does something else while the hogs are busy, and ends them. */
    public <T> T beside(Callable<T> task) throws Exception {
        boolean allStarted = awaitHogs();
        try {
            return task.call();
        } finally {
            over = true;
            awaitEnds(allStarted);
        }
    }

    /** With fewer workers than hogs, an unfair system may never start them all. */
    private boolean awaitHogs() throws InterruptedException {
        return hogsStarted.await(HOGS_START_MILLIS_MAX, TimeUnit.MILLISECONDS);
    }

    private void awaitEnds(boolean allStarted) throws InterruptedException {
        Check.all(allStarted ? "ends of hogs" : "ends of hogs that started late", hogsEnded);
    }
}

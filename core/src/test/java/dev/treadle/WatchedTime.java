// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** A clock that a test moves, and that tells the test when the watchdog has looked at it. */
final class WatchedTime implements TimeSource {
    /** At each tick the watchdog reads the clock once, or a few times more for each worker. */
    private static final int READS_OF_A_TICK_MAX = 18;

    private final ManualTime time = new ManualTime();
    private final AtomicInteger readsByWatchdog = new AtomicInteger();
    private final Semaphore stopped = new Semaphore(0);
    private final Semaphore goOn = new Semaphore(0);
    private volatile boolean stopNext;

    @Override
    public long nanos() {
        long now = time.nanos();
        if (Thread.currentThread().getName().endsWith("-watchdog")) {
            readsByWatchdog.incrementAndGet();
            if (stopNext) {
                stopNext = false;
                stopped.release();
                goOn.acquireUninterruptibly();
            }
        }
        return now;
    }

    /** Stops the watchdog when it has read the clock and not yet looked at the workers, as a busy machine might. */
    void stopWatchdogAfterRead() throws InterruptedException {
        stopNext = true;
        stopped.acquire();
    }

    /** Lets a stopped watchdog go on, and stops it again when it next reads the clock. */
    void stopWatchdogAfterNextRead() throws InterruptedException {
        stopNext = true;
        goOn.release();
        stopped.acquire();
    }

    void letWatchdogGoOn() {
        goOn.release();
    }

    @Override
    public Instant instant() {
        return time.instant();
    }

    void advance(Duration by) {
        time.advance(by);
    }

    /** Waits until the watchdog has looked at all workers at least once, from now on. */
    void awaitTick() {
        int reads = readsByWatchdog.get() + 2 * READS_OF_A_TICK_MAX;
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(60))
                .until(() -> readsByWatchdog.get() >= reads);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Counts who sleeps and who is woken, and lets a test hold back those who were woken: to the scheduler they are awake and
 * search, but they find nothing until the gate is opened.
 */
final class GatedParkers implements Supplier<Parker> {
    private final AtomicInteger parks = new AtomicInteger();
    private final AtomicInteger asleep = new AtomicInteger();
    private final AtomicInteger unparks = new AtomicInteger();
    private final ConcurrentLinkedQueue<Parker> heldBack = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    @Override
    public Parker get() {
        var parker = new ThreadParker();
        return new Parker() {
            @Override
            public void park() {
                asleep.incrementAndGet();
                parks.incrementAndGet();
                parker.park();
                asleep.decrementAndGet();
            }

            @Override
            public void unpark() {
                unparks.incrementAndGet();
                if (closed) {
                    heldBack.add(parker);
                } else {
                    parker.unpark();
                }
            }
        };
    }

    void close() {
        closed = true;
    }

    void open() {
        closed = false;
        for (Parker parker = heldBack.poll(); parker != null; parker = heldBack.poll()) {
            parker.unpark();
        }
    }

    int unparks() {
        return unparks.get();
    }

    int parks() {
        return parks.get();
    }

    /** Waits until so many sleep, and all together have gone to sleep at least so often. */
    void awaitAsleep(int workers, int parksMin) {
        await().until(() -> asleep.get() == workers && parks.get() >= parksMin);
    }

    /** Waits until so many are on the list of those that can be woken; then no other one is awake, and none searches. */
    void awaitOtherAsleep(Scheduler scheduler, int others) {
        await().until(() -> scheduler.group.sleepers.asleep() == others);
    }

    private static ConditionFactory await() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(60));
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: each start ends exactly once, as a cancel that returned true or as a fire, whoever races. Method: a driver
 * advances a small wheel without pause while other threads start and cancel, in a closed loop: nobody goes on before it
 * has seen the end of its start, so one that is lost stops the loop and one too many is counted.
 *
 * <p>Caught when tried by hand: a claim in advance() that gives up the lock between the look and the claim; a cancel() that
 * looks at the node before it takes the lock. The length is set with {@code -Dstress.rounds}, and limited in time since a
 * busy machine may take minutes for what takes another a second.
 */
class TimerWheelRaceTest {
    private static final int ROUNDS = Integer.getInteger("stress.rounds", 20_000);
    private static final long ROUNDS_NANOS_MAX = SECONDS.toNanos(Integer.getInteger("stress.seconds", 10));
    private static final long STUCK_NANOS = SECONDS.toNanos(30);
    private static final int STARTERS = 3;

    private final TimerWheel wheel = new TimerWheel(0, 4, 2, (node, failure) -> {
        throw new AssertionError(failure);
    });
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch startersLeft = new CountDownLatch(STARTERS);
    private final long begin = System.nanoTime();
    private volatile long now;

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static final class CountedTimer extends TimerNode {
        private final AtomicInteger fires = new AtomicInteger();

        @Override
        protected void fire() {
            fires.incrementAndGet();
        }
    }

    @Test
    void whenEachThreadStartsAndCancelsItsOwn_thenEachStartEndsOnce() throws Exception {
        var running = new ArrayList<Future<?>>();
        running.add(threads.submit(() -> driveWhile(startersLeft)));
        for (int i = 0; i < STARTERS; i++) {
            long seed = i;
            running.add(threads.submit(() -> startAndCancel(new SplittableRandom(seed))));
        }
        await(running);
        assertThat(wheel.size()).isZero();
    }

    private Void driveWhile(CountDownLatch othersLeft) {
        long time = 0;
        while (othersLeft.getCount() > 0) {
            time++;
            now = time;
            wheel.advance(time);
        }
        return null;
    }

    private Void startAndCancel(SplittableRandom random) {
        try {
            var nodes = new CountedTimer[8];
            var ends = new int[nodes.length];
            for (int i = 0; i < nodes.length; i++) {
                nodes[i] = new CountedTimer();
            }
            for (int round = 0; round < ROUNDS / nodes.length && !timeIsUp(); round++) {
                for (CountedTimer node : nodes) {
                    wheel.start(node, now + random.nextLong(-4, 100));
                }
                for (int i = 0; i < nodes.length; i++) {
                    if (random.nextInt(4) == 0 || !wheel.cancel(nodes[i])) {
                        ends[i]++;
                        awaitFires(nodes[i], ends[i]);
                    }
                }
                for (int i = 0; i < nodes.length; i++) {
                    assertThat(nodes[i].fires.get()).isEqualTo(ends[i]);
                }
            }
            return null;
        } finally {
            startersLeft.countDown();
        }
    }

    @Test
    void whenSeveralThreadsCancelOneNode_thenOneOfThemOrTheDriverEndsIt() throws Exception {
        var node = new CountedTimer();
        var cancels = new AtomicInteger();
        var last = new AtomicBoolean();
        var roundBegins = new CyclicBarrier(2);
        var roundEnds = new CyclicBarrier(2);
        int rounds = ROUNDS / 10;
        var othersDone = new CountDownLatch(1);
        Future<?> driver = threads.submit(() -> driveWhile(othersDone));
        Future<?> canceller = threads.submit((Callable<Void>) () -> {
            while (true) {
                roundBegins.await(30, SECONDS);
                if (last.get()) {
                    return null;
                }
                if (wheel.cancel(node)) {
                    cancels.incrementAndGet();
                }
                roundEnds.await(30, SECONDS);
            }
        });
        try {
            for (int round = 1; round <= rounds && !timeIsUp(); round++) {
                wheel.start(node, now + round % 20);
                roundBegins.await(30, SECONDS);
                if (wheel.cancel(node)) {
                    cancels.incrementAndGet();
                }
                roundEnds.await(30, SECONDS);
                if (cancels.get() + node.fires.get() != round) {
                    // Both cancels came too late: the driver has claimed the node and is about to fire it.
                    awaitFires(node, round - cancels.get());
                }
                assertThat(cancels.get() + node.fires.get()).isEqualTo(round);
            }
            last.set(true);
            roundBegins.await(30, SECONDS);
        } finally {
            othersDone.countDown();
        }
        await(List.of(canceller, driver));
    }

    private boolean timeIsUp() {
        return System.nanoTime() - begin > ROUNDS_NANOS_MAX;
    }

    private static void awaitFires(CountedTimer node, int fires) {
        long begin = System.nanoTime();
        while (node.fires.get() < fires) {
            if (System.nanoTime() - begin > STUCK_NANOS) {
                fail("stuck: fired %d times, expected %d", node.fires.get(), fires);
            }
            Thread.yield();
        }
        assertThat(node.fires.get()).isEqualTo(fires);
    }

    private static void await(List<Future<?>> running) throws Exception {
        for (Future<?> future : running) {
            future.get(60, SECONDS);
        }
    }
}

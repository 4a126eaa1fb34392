// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures the wheel against a {@link ScheduledThreadPoolExecutor}, roughly: the figures of docs/design/0006-timers.md.
 * Not a test: run its main method, which takes about a minute. Costs of one thread are processor time of that thread, so
 * that a busy machine does not matter much; for the lateness and for two threads it must do nothing else.
 */
final class TimerMeasurement {
    private static final int TIMERS = 1_000_000;
    private static final int FIRINGS = 100_000;
    private static final long WINDOW_NANOS = SECONDS.toNanos(600);
    private static final int ROUNDS = 5;

    private TimerMeasurement() {}

    /** Measures the costs and the lateness, or what is named: {@code cost}, {@code late}. */
    public static void main(String[] args) throws Exception {
        var parts = args.length == 0 ? List.of("cost", "late") : List.of(args);
        if (parts.contains("cost")) {
            for (int round = 1; round <= ROUNDS; round++) {
                print("round %d of %d", round, ROUNDS);
                wheelStartAndCancel();
                executorStartAndCancel();
                drainOfOneSlot();
            }
            contended(1);
            contended(2);
        }
        if (parts.contains("late")) {
            for (int round = 1; round <= ROUNDS; round++) {
                wheelLateness();
                executorLateness();
            }
        }
    }

    private static final class Plain extends TimerNode {
        @Override
        protected void fire() {}
    }

    private static TimerWheel wheel() {
        return new TimerWheel(System.nanoTime(), (node, failure) -> failure.printStackTrace());
    }

    private static long[] delays() {
        return new SplittableRandom(1)
                .longs(TIMERS, SECONDS.toNanos(30), WINDOW_NANOS)
                .toArray();
    }

    private static int[] shuffled() {
        var random = new SplittableRandom(2);
        int[] order = new int[TIMERS];
        for (int i = 0; i < TIMERS; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    private static void wheelStartAndCancel() {
        long[] delays = delays();
        int[] order = shuffled();
        var nodes = new Plain[TIMERS];
        var wheel = wheel();
        long now = System.nanoTime();
        long begin = cpuNanos();
        for (int i = 0; i < TIMERS; i++) {
            nodes[i] = new Plain();
            wheel.start(nodes[i], now + delays[i]);
        }
        long started = cpuNanos();
        for (int i : order) {
            wheel.cancel(nodes[i]);
        }
        long cancelled = cpuNanos();
        print(
                "  wheel     start %4d ns, cancel in random order %4d ns",
                each(begin, started), each(started, cancelled));
    }

    private static void executorStartAndCancel() throws InterruptedException {
        long[] delays = delays();
        int[] order = shuffled();
        var futures = new Future<?>[TIMERS];
        var executor = new ScheduledThreadPoolExecutor(1);
        executor.setRemoveOnCancelPolicy(true);
        long begin = cpuNanos();
        for (int i = 0; i < TIMERS; i++) {
            futures[i] = executor.schedule(() -> {}, delays[i], NANOSECONDS);
        }
        long started = cpuNanos();
        for (int i : order) {
            futures[i].cancel(false);
        }
        long cancelled = cpuNanos();
        print(
                "  executor  start %4d ns, cancel in random order %4d ns",
                each(begin, started), each(started, cancelled));
        executor.shutdownNow();
        executor.awaitTermination(10, SECONDS);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long each(long begin, long end) {
        return (end - begin) / TIMERS;
    }

    /** A yield that is answered in time: started, then cancelled soon, while a million others wait. */
    private static void contended(int threadCount) throws InterruptedException {
        var wheel = wheel();
        long[] delays = delays();
        for (long delay : delays) {
            wheel.start(new Plain(), System.nanoTime() + delay);
        }
        var threads = new Thread[threadCount];
        var cpu = new AtomicLong();
        long begin = System.nanoTime();
        for (int t = 0; t < threadCount; t++) {
            threads[t] = new Thread(() -> {
                var node = new Plain();
                long now = System.nanoTime();
                long cpuBegin = cpuNanos();
                for (int i = 0; i < 10 * TIMERS; i++) {
                    wheel.start(node, now + delays[i % TIMERS]);
                    wheel.cancel(node);
                }
                cpu.addAndGet(cpuNanos() - cpuBegin);
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        print(
                "wheel, 1,000,000 pending, %d thread(s): start and cancel %d ns per pair and thread, %d of processor time",
                threadCount, (System.nanoTime() - begin) / (10L * TIMERS), cpu.get() / (10L * TIMERS * threadCount));
    }

    private static void wheelLateness() throws InterruptedException {
        var timers = new TimerThread(wheel(), System::nanoTime, Thread::new);
        long[] late = new long[FIRINGS];
        var index = new AtomicInteger();
        var cpu = new AtomicLong();
        var done = new CountDownLatch(FIRINGS);
        var random = new SplittableRandom(3);
        long now = System.nanoTime();
        for (int i = 0; i < FIRINGS; i++) {
            timers.start(
                    new TimerNode() {
                        @Override
                        protected void fire() {
                            late[index.getAndIncrement()] = System.nanoTime() - deadlineNanos();
                            cpu.set(done.getCount() == 1 ? cpuNanos() : 0);
                            done.countDown();
                        }
                    },
                    now + SECONDS.toNanos(1) + random.nextLong(SECONDS.toNanos(5)));
        }
        done.await();
        report("wheel   ", late, cpu.get());
        timers.close(Duration.ofSeconds(1));
    }

    private static void executorLateness() throws InterruptedException {
        var executor = new ScheduledThreadPoolExecutor(1);
        long[] late = new long[FIRINGS];
        var index = new AtomicInteger();
        var cpu = new AtomicLong();
        var done = new CountDownLatch(FIRINGS);
        var random = new SplittableRandom(3);
        long now = System.nanoTime();
        for (int i = 0; i < FIRINGS; i++) {
            long deadline = now + SECONDS.toNanos(1) + random.nextLong(SECONDS.toNanos(5));
            var unused = executor.schedule(
                    () -> {
                        late[index.getAndIncrement()] = System.nanoTime() - deadline;
                        cpu.set(done.getCount() == 1 ? cpuNanos() : 0);
                        done.countDown();
                    },
                    deadline - System.nanoTime(),
                    NANOSECONDS);
        }
        done.await();
        report("executor", late, cpu.get());
        executor.shutdownNow();
    }

    private static void report(String name, long[] late, long cpuNanos) {
        Arrays.sort(late);
        print(
                "%s %,d firings in 5 s, late by: half %d, 99 %% %d, 99.9 %% %d, max %d µs; thread used %d ms",
                name,
                FIRINGS,
                late[FIRINGS / 2] / 1_000,
                late[FIRINGS / 100 * 99] / 1_000,
                late[FIRINGS / 1000 * 999] / 1_000,
                late[FIRINGS - 1] / 1_000,
                cpuNanos / 1_000_000);
    }

    /** A million timers in one slot of a high level, then 100,000 of one tick in no order: the longest holds of the lock. */
    private static void drainOfOneSlot() {
        var random = new SplittableRandom(4);
        var wheel = new TimerWheel(0, (node, failure) -> failure.printStackTrace());
        long slot = TimerWheel.TICK_NANOS_DEFAULT * 64 * 64 * 64;
        for (int i = 0; i < TIMERS; i++) {
            wheel.start(new Plain(), slot + slot / 2 + random.nextLong(slot / 2));
        }
        long begin = cpuNanos();
        wheel.advance(slot + 1);
        print("  1,000,000 nodes of one slot drained in %d ms", (cpuNanos() - begin) / 1_000_000);

        var set = new TimerSet(0, TimerWheel.TICK_NANOS_DEFAULT, TimerSlots.SLOT_BITS_MAX);
        for (int i = 0; i < FIRINGS; i++) {
            set.add(new Plain(), TimerWheel.TICK_NANOS_DEFAULT + random.nextLong(TimerWheel.TICK_NANOS_DEFAULT));
        }
        begin = cpuNanos();
        set.moveTo(TimerWheel.TICK_NANOS_DEFAULT);
        set.step();
        print("  100,000 nodes of one tick sorted in %d ms", (cpuNanos() - begin) / 1_000_000);
    }

    private static void print(String format, Object... args) {
        System.out.println(String.format(Locale.ROOT, format, args));
    }
}

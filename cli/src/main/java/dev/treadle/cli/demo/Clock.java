// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.Handler;
import dev.treadle.ResultReceiver;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Answers each {@link Rest} when its time is over, from a thread of its own. */
final class Clock implements Handler<Rest>, AutoCloseable {
    /*
     * A wheel: one slot for each tick of the next few seconds, and a hand that goes round. With 100,000 processes that
     * rest about once a second, a heap of alarms (a ScheduledThreadPoolExecutor) took as much time as one of the workers.
     *
     * A worker that has read the hand may be held up before it adds to the slot, until the hand has passed it. Then the
     * rest takes one turn of the wheel more. The slot is never lost, and a rest is at least two ticks, so this is rare.
     */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int SLOTS = 1 << 11;
    private static final long TICKS_MIN = 2;

    /** The longest rest that the wheel has a slot for. */
    static final long MILLIS_MAX = TimeUnit.NANOSECONDS.toMillis(TICK_NANOS * (SLOTS - 1));

    private final Slot[] wheel = Stream.generate(Slot::new).limit(SLOTS).toArray(Slot[]::new);
    private final Thread thread = new Thread(this::run, "treadle-demo-clock");
    private volatile long hand;
    private volatile boolean stopped;

    /** Those who wait for a tick. */
    private record Slot(Queue<ResultReceiver> waiting) {
        Slot() {
            this(new ConcurrentLinkedQueue<>());
        }
    }

    private Clock() {}

    static Clock start() {
        var clock = new Clock();
        clock.thread.setDaemon(true);
        clock.thread.start();
        return clock;
    }

    /** A worker. */
    @Override
    public void handle(Rest rest, ResultReceiver receiver) {
        if (rest.millis() > MILLIS_MAX) {
            throw new IllegalArgumentException(
                    "rest was " + rest.millis() + " ms, must be at most " + MILLIS_MAX + ": rest twice");
        }
        long ticks = TimeUnit.MILLISECONDS.toNanos(rest.millis()) / TICK_NANOS;
        slot(hand + Math.max(TICKS_MIN, ticks)).waiting().add(receiver);
    }

    private Slot slot(long tick) {
        return wheel[(int) (tick % SLOTS)];
    }

    private void run() {
        long start = System.nanoTime();
        while (!stopped) {
            long next = hand + 1;
            long early = start + next * TICK_NANOS - System.nanoTime();
            if (early > 0) {
                LockSupport.parkNanos(this, early);
            } else {
                hand = next;
                answer(slot(next).waiting());
            }
        }
    }

    private static void answer(Queue<ResultReceiver> due) {
        for (ResultReceiver receiver = due.poll(); receiver != null; receiver = due.poll()) {
            if (!receiver.isCancelled()) { // else the process has ended, and the answer would count as late
                receiver.complete(null);
            }
        }
    }

    /** Ends the thread; rests that are not over are not answered. */
    @Override
    public void close() {
        stopped = true;
        LockSupport.unpark(thread);
    }
}

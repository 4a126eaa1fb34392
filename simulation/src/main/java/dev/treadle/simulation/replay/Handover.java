// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where workers leave entries for the thread that writes them. A worker never waits here: what does not fit is dropped and
 * counted.
 */
final class Handover {
    /*
     * A queue without locks, and a count of the entries in it, which is raised before and lowered after: so the bound holds,
     * and may refuse a batch a moment early.
     *
     * Sleep and wake. The worker adds, then reads asleep; the writer sets asleep, then looks at the queue. Both are volatile,
     * so one of them sees the other. To unpark a thread costs a worker microseconds, so the writer naps for a while before
     * it really sleeps: in a busy system it naps, and nobody has to wake it.
     */
    private static final long NAP_NANOS = 1_000_000;
    private static final int NAPS_MAX = 100;

    private final ConcurrentLinkedQueue<Batch> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong entries = new AtomicLong();
    private final LongAdder dropped = new LongAdder();
    private final int capacity;
    private volatile boolean asleep;
    private volatile boolean closed;
    private volatile @Nullable Thread writer;

    Handover(int capacity) {
        this.capacity = capacity;
    }

    /** Any thread. False if the batch does not fit: it is gone, and counted. */
    boolean offer(Batch batch) {
        int size = batch.entries().size();
        if (entries.addAndGet(size) > capacity) {
            entries.addAndGet(-size);
            dropped.add(size);
            return false;
        }
        queue.add(batch);
        if (asleep) {
            asleep = false;
            LockSupport.unpark(writer);
        }
        return true;
    }

    /** The writer: the next batch, or null. */
    @Nullable
    Batch poll() {
        Batch batch = queue.poll();
        if (batch != null) {
            entries.addAndGet(-batch.entries().size());
        }
        return batch;
    }

    /** The writer: waits for a batch, or the close. May return early. */
    void await() {
        writer = Thread.currentThread();
        for (int naps = 0; naps < NAPS_MAX; naps++) {
            if (!queue.isEmpty() || closed) {
                return;
            }
            LockSupport.parkNanos(this, NAP_NANOS);
        }
        asleep = true;
        if (queue.isEmpty() && !closed) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    /** Any thread: what was dropped elsewhere. */
    void dropped(long entries) {
        dropped.add(entries);
    }

    long dropped() {
        return dropped.sum();
    }

    void close() {
        closed = true;
        LockSupport.unpark(writer);
    }

    boolean isClosed() {
        return closed;
    }
}

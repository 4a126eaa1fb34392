// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Measures how long processes wait from ready to running, by sampling. To read the clock for each wake-up would cost as
 * much as the wake-up.
 */
final class DelayProbe {
    /*
     * One place for each worker and one for all threads outside, each with at most one process under way. The flag
     * `probed` in the cell tells the worker that runs it to look here. Cell, time and flag are written before the cell
     * is pushed to a queue, and read after it was popped: the queue orders them.
     */
    private static final int SAMPLE_MASK = (1 << 6) - 1;

    private final TimeSource time;
    private final AtomicReferenceArray<ProcessCell> cells;
    private final long[] readySince;
    private final AtomicLongArray counts = new AtomicLongArray(DelayHistogram.BUCKETS);

    DelayProbe(TimeSource time, int workers) {
        this.time = time;
        cells = new AtomicReferenceArray<>(workers + 1);
        readySince = new long[workers + 1];
    }

    /** A worker, before it pushes a process that it woke; the count is that of its wake-ups so far. */
    void sample(int worker, int count, ProcessCell ready) {
        if ((count & SAMPLE_MASK) == 0) {
            start(worker, ready);
        }
    }

    /** A thread outside, before it pushes a process that it woke. */
    void sampleFromOutside(ProcessCell ready) {
        start(cells.length() - 1, ready);
    }

    private void start(int place, ProcessCell ready) {
        if (cells.get(place) == null && cells.compareAndSet(place, null, ready)) {
            readySince[place] = time.nanos();
            ready.probed = true;
        }
    }

    /** The worker that is about to run a process whose flag is set. */
    void finish(ProcessCell running) {
        running.probed = false;
        for (int place = 0; place < cells.length(); place++) {
            if (cells.get(place) == running) {
                long delay = Math.max(0, time.nanos() - readySince[place]);
                cells.set(place, null);
                counts.incrementAndGet(DelayHistogram.bucket(delay));
                return;
            }
        }
    }

    DelayHistogram histogram() {
        long[] copy = new long[DelayHistogram.BUCKETS];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = counts.get(i);
        }
        return new DelayHistogram(copy);
    }

    /** Forgets the processes under way, at the end. */
    void clear() {
        for (int place = 0; place < cells.length(); place++) {
            cells.set(place, null);
        }
    }
}

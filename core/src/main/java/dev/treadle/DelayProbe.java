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
     * One place for each worker and one for all threads outside, each with at most one process under way. `probe`
     * in the cell tells the worker that runs it where to look. Cell, time and place are written before the cell is pushed
     * to a queue, and read after it was popped: the queue orders them. Places count from 1.
     */
    /** A worker samples one in so many, and one, of those that it wakes. */
    static final int SAMPLE_MASK = (1 << 8) - 1;

    /** Two places are this far apart, and from the front of the arrays, for the reason that {@link Padding} tells. */
    private static final int STRIDE = 32;

    private final TimeSource time;
    private final int outside;
    private final AtomicReferenceArray<ProcessCell> cells;
    private final long[] readySince;
    private final AtomicLongArray counts = new AtomicLongArray(DelayHistogram.BUCKETS);

    DelayProbe(TimeSource time, int workers) {
        this.time = time;
        outside = workers + 1;
        cells = new AtomicReferenceArray<>((outside + 1) * STRIDE);
        readySince = new long[(outside + 1) * STRIDE];
    }

    /** A worker, before it pushes a process that it woke. */
    void sample(int worker, ProcessCell ready) {
        start(worker + 1, ready);
    }

    /** A thread outside, before it pushes a process that it woke. */
    void sampleFromOutside(ProcessCell ready) {
        start(outside, ready);
    }

    private void start(int place, ProcessCell ready) {
        int index = place * STRIDE;
        if (cells.get(index) != null) {
            return;
        }
        long now = time.nanos(); // before the place is taken: no call may fail while it is
        if (cells.compareAndSet(index, null, ready)) {
            readySince[index] = now;
            ready.probe = (short) place;
        }
    }

    /** The worker that is about to run a process that has a place here. */
    void finish(ProcessCell running) {
        int index = running.probe * STRIDE;
        running.probe = 0;
        if (cells.get(index) == running) {
            long delay = Math.max(0, time.nanos() - readySince[index]);
            cells.set(index, null);
            counts.incrementAndGet(DelayHistogram.bucket(delay));
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
        for (int place = 1; place <= outside; place++) {
            cells.set(place * STRIDE, null);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.atomic.AtomicLongArray;

/** Deals out the ids of processes, each once: one at a time to threads outside, in blocks to workers. */
final class ProcessIds {
    /*
     * Blocks are dealt out in lanes, as many as there are workers and one more, rounded up to a power of two:
     *
     *   block   0         1          2          3          4         5          ...
     *   of      outside   worker 0   worker 1   -          outside   worker 0
     *
     * The process table has a part for each block, and a power of two of parts. So a worker always comes back to the same
     * parts, and no other worker puts anything there. If blocks were dealt out as they come, each part would be now one
     * worker's and now another's, and its lock and its links would have to be fetched from the caches of the other processor
     * once in a block: that was a third of the time of a process that is started and soon ends.
     *
     * Lane 0 begins in the middle of its block if the first id does. Spare workers share the lanes of others.
     */

    /** How many ids a worker takes at a time. */
    static final int BLOCK = 1 << 6;

    private static final int BLOCK_BITS = Integer.numberOfTrailingZeros(BLOCK);

    /** Two counts are this far apart, and from the front of the array, for the reason that {@link Padding} tells. */
    private static final int STRIDE = 16;

    private final long first;
    private final int lanes;

    /** For lane 0 the ids, for others the blocks that were dealt out. */
    private final AtomicLongArray dealt;

    ProcessIds(long first, int workers) {
        this.first = first;
        this.lanes = Integer.highestOneBit(workers) << 1; // the next power of two above workers
        this.dealt = new AtomicLongArray((lanes + 1) * STRIDE);
    }

    /** Any thread: an id for one process. The first one is the first id of all. */
    long next() {
        long offset = (first & (BLOCK - 1)) + dealt.getAndIncrement(STRIDE);
        return firstOf(offset >>> BLOCK_BITS, 0) | (offset & (BLOCK - 1));
    }

    /** A worker: the first of {@link #BLOCK} ids. */
    long nextBlock(int worker) {
        int lane = 1 + worker % (lanes - 1);
        return firstOf(dealt.getAndIncrement((lane + 1) * STRIDE), lane);
    }

    private long firstOf(long round, int lane) {
        return ((first >>> BLOCK_BITS) + round * lanes + lane) << BLOCK_BITS;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** Deals out the ids of processes, each once: one at a time to threads outside, in blocks to workers. */
final class ProcessIds extends SpinLock {
    /*
     * The process table has a part for each block, and a power of two of parts. So blocks are taken in rows, as many in a row
     * as there are workers, rounded up to a power of two, and each worker has its place in the row:
     *
     *   block       8          9          10         11    |   12         13        ...
     *   for         worker 0   worker 1   worker 2   spare |   worker 0   worker 1
     *
     * Whoever needs a block takes what is kept for him, else a spare one, else a new row, of which he keeps the others' blocks
     * for them. So a worker comes back to the same parts of the table, and no other worker puts anything there. If blocks were dealt out
     * as they come, each part would be now one worker's and now another's, and its lock and its links would have to be fetched
     * from the caches of the other processor once in a block: that was almost half of the time of a process that is started and
     * soon ends.
     *
     * For one who takes few, KEPT_MAX blocks are kept; what is more is spare. So hardly any ids are left out, whoever takes them.
     * Threads outside take spare blocks, and spare workers do.
     *
     * The first IN_SEQUENCE ids are dealt out as they come, so that those of a small system are easy to read; and all of them
     * where there is one worker, since then there is nothing to keep apart.
     */

    /** How many ids a worker takes at a time. */
    static final int BLOCK = 1 << 6;

    /** How many ids are dealt out as they come, before there are rows. */
    static final int IN_SEQUENCE = 64 * BLOCK;

    /** How many blocks are kept for a worker that does not take them, a power of two. */
    private static final int KEPT_MAX = 8;

    private final int workers;
    private final int inRow;
    private final long rowsFrom;

    // All under the lock.

    /** By worker, KEPT_MAX each, which are filled and emptied in turn: the first ids of blocks. */
    private final long[] kept;

    private final int[] keptOldest;
    private final int[] keptCount;

    /** Filled and emptied in turn, too: whoever takes them gets greater ids each time. */
    private final long[] spare;

    private int spareOldest;
    private int spareCount;

    /** The first of the ids that nobody has taken. */
    private long untaken;

    private long outsideNext;
    private long outsideEnd;

    ProcessIds(long first, int workers) {
        this.workers = workers;
        inRow = workers == 1 ? 1 : Integer.highestOneBit(workers - 1) << 1;
        kept = new long[workers * KEPT_MAX];
        keptOldest = new int[workers];
        keptCount = new int[workers];
        spare = new long[inRow];
        untaken = first;
        long row = (long) BLOCK * inRow;
        rowsFrom = inRow == 1 ? Long.MAX_VALUE : ((first + IN_SEQUENCE) / row + 1) * row;
    }

    /** Any thread: an id for one process. The first one is the first id of all. */
    long next() {
        lock();
        try {
            long id;
            if (untaken < rowsFrom) {
                id = untaken++;
            } else {
                if (outsideNext == outsideEnd) {
                    outsideNext = block(workers);
                    outsideEnd = outsideNext + BLOCK;
                }
                id = outsideNext++;
            }
            unlock();
            return id;
        } catch (Throwable thrown) {
            held = false;
            throw thrown;
        }
    }

    /** A worker: the first of {@link #BLOCK} ids. */
    long nextBlock(int worker) {
        return locked(() -> nextBlockLocked(worker));
    }

    private long nextBlockLocked(int worker) {
        if (untaken <= rowsFrom - BLOCK) {
            long first = untaken;
            untaken += BLOCK;
            return first;
        }
        untaken = Math.max(untaken, rowsFrom);
        return block(worker);
    }

    /** Under the lock. The worker may be one that no block is kept for. */
    private long block(int worker) {
        boolean keeps = worker < workers;
        if (keeps && keptCount[worker] > 0) {
            return takeKept(worker);
        }
        while (spareCount == 0) {
            long row = untaken;
            untaken += (long) BLOCK * inRow;
            for (int place = 0; place < inRow; place++) {
                keep(place, row + (long) BLOCK * place);
            }
            if (keeps) {
                return takeKept(worker);
            }
        }
        spareCount--;
        return spare[spareOldest++ & (inRow - 1)];
    }

    private long takeKept(int worker) {
        keptCount[worker]--;
        return kept[worker * KEPT_MAX + (keptOldest[worker]++ & (KEPT_MAX - 1))];
    }

    private void keep(int place, long block) {
        if (place < workers && keptCount[place] < KEPT_MAX) {
            int next = keptOldest[place] + keptCount[place]++;
            kept[place * KEPT_MAX + (next & (KEPT_MAX - 1))] = block;
        } else {
            spare[(spareOldest + spareCount++) & (inRow - 1)] = block;
        }
    }
}

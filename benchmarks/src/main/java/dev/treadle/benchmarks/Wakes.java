// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The state of wake-latency and wake-loaded, the same for each peer: when it was sent, and when the turn began. */
public final class Wakes {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final long[] latencies;
    private long sentNanos;
    private volatile int turns;

    /** For so many sends. */
    public Wakes(int sends) {
        latencies = new long[sends];
    }

    /** The process, first thing in its turn. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one process, one turn at a time
    public void turn() {
        long now = System.nanoTime();
        int turn = turns;
        latencies[turn] = now - sentNanos;
        turns = turn + 1;
    }

    /**
     * From outside: sends at equal intervals to a process that is idle by then.
     *
     * @param patienceMillis how long a turn is waited for
     * @return the latencies, sorted
     * @throws StarvedException if a turn does not come
     */
    public long[] run(Runnable send, long patienceMillis) throws StarvedException {
        long due = System.nanoTime();
        for (int i = 0; i < latencies.length; i++) {
            due += INTERVAL_NANOS;
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            sentNanos = System.nanoTime();
            send.run();
            awaitTurn(i + 1, patienceMillis);
        }
        long[] sorted = latencies.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    private void awaitTurn(int turn, long patienceMillis) throws StarvedException {
        long start = System.nanoTime();
        while (turns != turn) {
            if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(patienceMillis)) {
                throw new StarvedException(1, 1, patienceMillis);
            }
            LockSupport.parkNanos(INTERVAL_NANOS / 4);
        }
    }
}

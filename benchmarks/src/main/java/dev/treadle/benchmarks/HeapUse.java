// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.lang.management.ManagementFactory;

/** How much of the heap is in use. */
final class HeapUse {
    private static final int COLLECTIONS_MAX = 10;
    private static final long SETTLED_BYTES = 64 * 1024;

    private HeapUse() {}

    /** Collects garbage until it changes nothing any more, and returns how many bytes are left. */
    static long afterFullCollection() {
        var memory = ManagementFactory.getMemoryMXBean();
        long before = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS_MAX; i++) {
            memory.gc();
            long now = memory.getHeapMemoryUsage().getUsed();
            if (before - now < SETTLED_BYTES) {
                return now;
            }
            before = now;
        }
        return before;
    }
}

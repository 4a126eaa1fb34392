// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** What is to happen at a time, besides timers: answers to commands, messages between nodes, planned faults. */
final class Agenda {
    private final PriorityQueue<Entry> later =
            new PriorityQueue<>(Comparator.comparingLong(Entry::nanos).thenComparingLong(Entry::number));
    private final List<Entry> due = new ArrayList<>();
    private long numbers;

    void add(long nanos, Runnable action) {
        later.add(new Entry(nanos, numbers++, action));
    }

    /** Returns how many entries are due; from then until one runs, each has an index. */
    int due(long nowNanos) {
        for (Entry next = later.peek(); next != null && next.nanos <= nowNanos; next = later.peek()) {
            due.add(later.remove());
        }
        return due.size();
    }

    void run(int index) {
        due.remove(index).action.run();
    }

    /** Returns when the next one that is not due yet is, or Long.MAX_VALUE. */
    long nextNanos() {
        Entry next = later.peek();
        return next == null ? Long.MAX_VALUE : next.nanos;
    }

    private record Entry(long nanos, long number, Runnable action) {}
}

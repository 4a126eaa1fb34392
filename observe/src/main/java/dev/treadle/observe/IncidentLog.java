// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Counts the incidents of one kind and keeps the latest. Any thread. */
final class IncidentLog {
    static final int KEPT_MAX = 50;

    /** How many are written down in a second: a storm of them must not cost more than the storm itself. */
    static final int PER_SECOND_MAX = 100;

    private static final long SECOND_NANOS = 1_000_000_000;

    private final LongAdder count = new LongAdder();

    // Written under the lock of this object.
    private final ArrayDeque<Incident> latest = new ArrayDeque<>(KEPT_MAX);
    private volatile long windowNanos = System.nanoTime();
    private volatile int inWindow;

    /** Counts one, and writes it down unless there were too many in this second. */
    void add(Supplier<Incident> incident) {
        try {
            // Without the lock: a stale look writes one more down, or one less.
            if (inWindow < PER_SECOND_MAX || System.nanoTime() - windowNanos >= SECOND_NANOS) {
                keep(incident.get());
            }
        } finally {
            count.increment(); // last: what was counted, and is among the latest, can be seen there
        }
    }

    private synchronized void keep(Incident made) {
        long now = System.nanoTime();
        if (now - windowNanos >= SECOND_NANOS) {
            windowNanos = now;
            inWindow = 0;
        }
        setInWindow(inWindow + 1);
        if (latest.size() == KEPT_MAX) {
            latest.removeLast();
        }
        latest.addFirst(made);
    }

    private void setInWindow(int inWindow) {
        this.inWindow = inWindow;
    }

    long count() {
        return count.sum();
    }

    /** Returns the latest, newest first. */
    synchronized List<Incident> latest() {
        return new ArrayList<>(latest);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Tells which platform threads a scheduler has, by their names; so each scheduler of a test needs a name of its own. */
final class SchedulerThreads {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private SchedulerThreads() {}

    /** A name that no other scheduler has. */
    static String newName(String prefix) {
        return prefix + "-" + NUMBER.incrementAndGet();
    }

    /** The threads of the scheduler with that name that are alive now. */
    static List<Thread> alive(String scheduler) {
        String prefix = "treadle-" + scheduler + "-";
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix) && thread.isAlive())
                .toList();
    }

    /**
     * Waits for the last thread of the scheduler with that name to end. A shutdown has waited for them already, but not
     * for long, and a busy machine may take longer to let them run to their end.
     */
    static void awaitNone(String scheduler) {
        Soon.until(() -> alive(scheduler).isEmpty());
    }

    /** Waits likewise until only one is left, and returns it. */
    static Thread awaitOne(String scheduler) {
        Soon.until(() -> alive(scheduler).size() == 1);
        return alive(scheduler).get(0);
    }

    /** Those alive whose role, such as "spare", is as told; with an empty role all of them. */
    static List<Thread> of(Scheduler scheduler, String role) {
        String prefix = "treadle-" + scheduler.name() + "-" + role;
        return alive(scheduler.name()).stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .toList();
    }

    /** The processor time that all of them together have used so far. */
    @SuppressWarnings("deprecation") // Thread.threadId() is not in 17
    static long cpuNanos(Scheduler scheduler) {
        return of(scheduler, "").stream()
                .mapToLong(thread -> THREADS.getThreadCpuTime(thread.getId()))
                .filter(nanos -> nanos > 0)
                .sum();
    }
}

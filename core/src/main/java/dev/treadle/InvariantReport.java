// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/** Says in words what a scheduler's queues and workers hold, for who has to find out how a process came where it is. */
final class InvariantReport {
    private InvariantReport() {}

    /** Any thread. As of some moment: all goes on while it is written. */
    static String of(Scheduler scheduler, @Nullable ProcessCell cell) {
        var text = new StringBuilder();
        if (cell != null) {
            text.append("\n  process ").append(cell).append(cell.isQueued() ? ", queued" : ", not queued");
            ProcessInfo info = cell.info();
            if (info != null) {
                text.append(", ").append(info);
            }
        }
        for (Worker worker : scheduler.group.workers()) {
            Thread thread = worker.thread();
            text.append("\n  ")
                    .append(worker)
                    .append(", ")
                    .append(worker.queues())
                    .append(", ")
                    .append(thread == null ? "no thread" : thread.getName() + " " + thread.getState());
        }
        return text.append("\n  global queue: ")
                .append(scheduler.group.globalLength())
                .append("\n  ")
                .append(scheduler.group.sleepers)
                .append(", ")
                .append(scheduler.group.sleepers.asleep())
                .append(" asleep\n  called from ")
                .append(Thread.currentThread().getName())
                .toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Makes daemon threads with a name and a number. */
final class NamedThreads implements ThreadFactory {
    private final String prefix;
    private final AtomicLong number = new AtomicLong();

    NamedThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new SchedulerThread(task, prefix + number.getAndIncrement());
        thread.setDaemon(true);
        return thread;
    }
}

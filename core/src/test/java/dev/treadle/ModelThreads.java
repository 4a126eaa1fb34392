// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads whose order a model checker chooses. Plain loops: with streams Lincheck itself fails. */
public final class ModelThreads {
    private final Thread[] threads;
    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();

    private ModelThreads(int count) {
        threads = new Thread[count];
    }

    /** Starts a thread for each task. */
    public static ModelThreads start(Runnable... tasks) {
        var started = new ModelThreads(tasks.length);
        for (int i = 0; i < tasks.length; i++) {
            Runnable task = tasks[i];
            started.threads[i] = new Thread(() -> started.run(task));
            started.threads[i].start();
        }
        return started;
    }

    /** Runs each task in a thread of its own, all at once, and returns when they have ended. */
    public static void run(Runnable... tasks) {
        start(tasks).join();
    }

    /** Lincheck reports what a thread throws only if it is thrown by the one that runs the model. */
    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable failure) {
            thrown.compareAndSet(null, failure);
        }
    }

    /** Returns when all have ended; throws if one of them did. */
    public void join() {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        Throwable failure = thrown.get();
        if (failure != null) {
            throw new AssertionError("a thread of the model failed with " + failure, failure);
        }
    }
}

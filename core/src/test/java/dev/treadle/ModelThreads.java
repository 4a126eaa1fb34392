// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** Threads whose order a model checker chooses. Plain loops: with streams Lincheck itself fails. */
final class ModelThreads {
    private ModelThreads() {}

    /** Runs each task in a thread of its own, all at once, and returns when they have ended. */
    static void run(Runnable... tasks) {
        var threads = new Thread[tasks.length];
        for (int i = 0; i < tasks.length; i++) {
            threads[i] = new Thread(tasks[i]);
            threads[i].start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

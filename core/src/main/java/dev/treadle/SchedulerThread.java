// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/**
 * A thread that knows which worker it is, if it is one. Each send asks for that, and a field of the thread is found with
 * fewer steps than a {@link ThreadLocal}; threads of a user's factory have only that.
 */
final class SchedulerThread extends Thread {
    /** This thread's own. */
    @Nullable
    Worker worker;

    SchedulerThread(Runnable task, String name) {
        super(null, task, name, 0, false);
    }
}

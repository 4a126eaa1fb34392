// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/** Knows which threads are a scheduler's own: on those nobody may wait for processes, they may be needed to run them. */
final class OwnThreads {
    /** The scheduler that this thread turns the timers of, or watches; by its settings, which no two share. */
    private static final ThreadLocal<@Nullable SchedulerConfig> SERVED = new ThreadLocal<>();

    /** Who takes turns when this thread waits, if anybody. */
    private static final ThreadLocal<@Nullable Director> DIRECTOR = new ThreadLocal<>();

    private OwnThreads() {}

    static void directed(@Nullable Director director) {
        if (director == null) {
            DIRECTOR.remove();
        } else {
            DIRECTOR.set(director);
        }
    }

    static @Nullable Director director() {
        return DIRECTOR.get();
    }

    /** Returns what the thread of timers or watchdog runs. */
    static Runnable serving(SchedulerConfig scheduler, Runnable task) {
        return () -> {
            SERVED.set(scheduler);
            try {
                task.run();
            } finally {
                SERVED.remove();
            }
        };
    }

    /** Whether the current thread is a worker of the scheduler, turns its timers, or watches it. */
    @SuppressWarnings("ReferenceEquality") // the very scheduler, not one that is set alike
    static boolean isOwn(SchedulerConfig scheduler) {
        Worker worker = Worker.current();
        return SERVED.get() == scheduler || (worker != null && worker.scheduler.config == scheduler);
    }

    /** Refuses what would make a thread of any scheduler wait for workers, or for itself. */
    static void refuseToBlock(String what) {
        Worker worker = Worker.current();
        SchedulerConfig own = worker == null ? SERVED.get() : worker.scheduler.config;
        if (own != null) {
            throw new IllegalStateException("a thread of scheduler \"" + own.name() + "\" was about to " + what
                    + ", which could block it for ever: in a step, handler or listener do not wait;"
                    + " let a message or a completion tell you, or call this from a thread of your own");
        }
    }
}

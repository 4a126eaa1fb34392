// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the listeners of a scheduler, and keeps what they throw from everybody else. */
final class Listeners {
    private static final Logger LOG = System.getLogger("dev.treadle");

    /** Set while this thread tells of a dead letter: a listener that sends one for each would never end. */
    private static final ThreadLocal<@Nullable Boolean> TELLING = new ThreadLocal<>();

    private final List<SchedulerListener> listeners;
    private final LongAdder failures = new LongAdder();

    Listeners(List<SchedulerListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    boolean isEmpty() {
        return listeners.isEmpty();
    }

    /** Lets each listener refuse the process: what one throws is thrown. */
    void onStart(ProcessInfo process) {
        for (SchedulerListener listener : listeners) {
            listener.onStart(process);
        }
    }

    /** Tells how a process ended; a failure that nobody listens to and nobody waits for goes to the log. */
    void onComplete(ProcessExit exit, boolean awaited) {
        if (listeners.isEmpty() && !awaited && exit.kind() == ProcessExit.Kind.FAILED) {
            log(Level.WARNING, exit.toString(), exit.reason());
        }
        tell(listener -> listener.onComplete(exit));
    }

    /** Tells of a message that nobody got, unless a listener that is being told of one has made it. */
    void onDeadLetter(DeadLetter letter) {
        if (TELLING.get() != null) {
            return;
        }
        TELLING.set(true);
        try {
            tell(listener -> listener.onDeadLetter(letter));
        } finally {
            TELLING.remove();
        }
    }

    void onSlowStep(SlowStep step) {
        if (listeners.isEmpty()) {
            log(
                    Level.WARNING,
                    "the step of process " + step.pid() + " has run for "
                            + step.elapsed().toMillis() + " ms and holds worker " + step.worker()
                            + (step.stack().isEmpty()
                                    ? ""
                                    : ", now at " + step.stack().get(0))
                            + ": a step must not block, use a command for that",
                    null);
        }
        tell(listener -> listener.onSlowStep(step));
    }

    void onPark(int worker, long sleptNanos) {
        Duration slept = Duration.ofNanos(sleptNanos);
        tell(listener -> listener.onPark(worker, slept));
    }

    void onSteal(int worker, int processes) {
        tell(listener -> listener.onSteal(worker, processes));
    }

    private void tell(Consumer<SchedulerListener> call) {
        for (SchedulerListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (Throwable thrown) {
                failed("a listener", thrown);
            }
        }
    }

    /** Counts and logs what user code threw at a place where that changes nothing. */
    void failed(String what, Throwable thrown) {
        failures.increment();
        log(Level.WARNING, what + " threw", thrown);
    }

    void error(String message) {
        log(Level.ERROR, message, null);
    }

    void info(String message) {
        log(Level.INFO, message, null);
    }

    /** A throwable of the user's can fail when it is printed, and then only the words are logged. */
    private static void log(Level level, String message, @Nullable Throwable thrown) {
        try {
            if (thrown == null) {
                LOG.log(level, message);
            } else {
                LOG.log(level, message, thrown);
            }
        } catch (Throwable unprintable) {
            try {
                LOG.log(level, message + " (its throwable cannot be printed)");
            } catch (Throwable broken) {
                // The log itself is broken. It was counted, and nobody else suffers.
            }
        }
    }

    long failures() {
        return failures.sum();
    }
}

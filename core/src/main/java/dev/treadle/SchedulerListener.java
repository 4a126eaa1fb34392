// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;

/**
 * Hears what happens in a scheduler. Called on workers and senders' threads: be quick, do not block. What a listener
 * throws is logged and changes nothing, except in {@link #onStart}.
 */
public interface SchedulerListener {
    /**
     * A process was initialised and is about to start. Throw to refuse it: it is closed, and {@code submit} throws a
     * {@link SubmissionRefusedException} with this exception as its cause.
     */
    default void onStart(ProcessInfo process) {}

    /** A process has ended, and was closed. */
    default void onComplete(ProcessExit exit) {}

    /** A message was not delivered, or not read. */
    default void onDeadLetter(DeadLetter letter) {}

    /** A step runs for longer than it should; told once, while it still runs. */
    default void onSlowStep(SlowStep step) {}

    /**
     * A worker had nothing to do, slept, and has found work again; it runs that when all listeners have returned.
     *
     * @param worker its number
     * @param slept for how long, in all, if it was woken in vain in between
     */
    default void onPark(int worker, Duration slept) {}

    /**
     * A worker with nothing to do took over processes that waited for another one.
     *
     * @param worker its number
     * @param processes how many
     */
    default void onSteal(int worker, int processes) {}
}

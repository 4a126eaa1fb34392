// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/**
 * Where one worker sleeps. An interface, so that a model checker can put in one whose sleep ends only by a wake-up; a
 * thread's own park may end by itself.
 */
interface Parker {
    /** The worker only: sleeps until {@link #unpark} is called, or returns at once if it was since the last time. */
    void park();

    /** Any thread: ends the sleep, or the next one. */
    void unpark();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** A timer of a process, that sends it a message. */
public interface ProcessTimer {
    /**
     * Stops the timer. If the process does this in its step, no message of this timer reaches a later step, not even one
     * that waits in the mailbox already.
     */
    void cancel();

    /** Returns whether the timer was cancelled. */
    boolean isCancelled();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Envelope;

/**
 * A message that nobody will handle.
 *
 * @param envelope the message, with sender and receiver
 * @param reason why
 */
public record DeadLetter(Envelope envelope, Reason reason) {
    /** Why a message was not handled. */
    public enum Reason {
        /** The receiver has ended, or there never was one. */
        NO_SUCH_PROCESS,
        /** The receiver's mailbox was full. */
        MAILBOX_FULL,
        /** The scheduler was shutting down. */
        STOPPING,
        /** The sender may not send to that host. */
        REFUSED,
        /** The receiver ended with the message still in its mailbox. */
        UNREAD
    }
}

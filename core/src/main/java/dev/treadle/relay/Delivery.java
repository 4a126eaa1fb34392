// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.relay;

/**
 * What became of a message that was sent. None of these is an error of the sender's, so {@code send} returns them and
 * never throws; whatever was not delivered also reaches the dead-letter listener.
 */
public enum Delivery {
    /** The message is in the receiver's mailbox. It will be handled, unless the receiver ends first. */
    DELIVERED,

    /** The address is unknown here: the process has ended, or there never was one, or it belongs to another host. */
    NO_SUCH_PROCESS,

    /** The receiver's mailbox holds as many messages as it may. Slow down, shed load, or raise the bound. */
    MAILBOX_FULL,

    /** The scheduler is shutting down and takes no more messages from outside. */
    STOPPING,

    /** The sender may not send to that host. */
    REFUSED;

    /** Returns whether the message is in the receiver's mailbox. */
    public boolean isDelivered() {
        return this == DELIVERED;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Delivery;
import java.time.Duration;

/** The error of a request that got no reply. */
public final class AskFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why there is no reply. */
    public enum Reason {
        /** There is no such process, or none any more. */
        NO_SUCH_PROCESS,
        /** The mailbox of the process is full. */
        MAILBOX_FULL,
        /** The scheduler is shutting down. */
        STOPPING,
        /** The asker may not send to that host. */
        REFUSED,
        /** The process has ended, and had not replied. */
        ENDED,
        /** A request from outside was not answered in time. One of a process fails with a {@link CommandTimeoutException}. */
        TIMEOUT
    }

    private final Reason reason;

    private AskFailedException(Reason reason, Pid target, String topic, String what) {
        super(
                "request \"" + topic + "\" to " + target + " " + what,
                null,
                false,
                false); // the asker's stack is long gone
        this.reason = reason;
    }

    static AskFailedException undelivered(Pid target, String topic, Delivery delivery) {
        return switch (delivery) {
            case NO_SUCH_PROCESS ->
                new AskFailedException(
                        Reason.NO_SUCH_PROCESS, target, topic, "was not delivered: there is no such process");
            case MAILBOX_FULL ->
                new AskFailedException(
                        Reason.MAILBOX_FULL,
                        target,
                        topic,
                        "was not delivered: its mailbox is full; ask again later, or raise its bound");
            case STOPPING ->
                new AskFailedException(
                        Reason.STOPPING, target, topic, "was not answered: the scheduler is shutting down");
            case REFUSED ->
                new AskFailedException(
                        Reason.REFUSED, target, topic, "was refused: its host does not take messages from the asker");
            case DELIVERED -> throw new IllegalArgumentException("it was delivered");
        };
    }

    static AskFailedException ended(Pid target, String topic) {
        return new AskFailedException(Reason.ENDED, target, topic, "was not answered: the process ended before");
    }

    static AskFailedException timedOut(Pid target, String topic, Duration timeout) {
        return new AskFailedException(
                Reason.TIMEOUT,
                target,
                topic,
                "was not answered within " + timeout + ": allow it more time, or see what the process is doing");
    }

    /** Returns why there is no reply. */
    public Reason reason() {
        return reason;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import org.jspecify.annotations.Nullable;

/** The error of an {@link HttpExchange} that got no whole reply. A reply with status 404 or 500 is no failure. */
public final class HttpFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Reason {
        /** There was no connection: nothing was sent. */
        NOT_CONNECTED,
        /** The connection broke, or what came was no HTTP. The server may have done what it was asked to. */
        BROKEN,
        /** The reply was not there in time. The server may have done what it was asked to. */
        TIMEOUT,
        /** The body is larger than the registration allows. */
        TOO_LARGE
    }

    private final Reason reason;

    HttpFailedException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Returns what went wrong. */
    public Reason reason() {
        return reason;
    }
}

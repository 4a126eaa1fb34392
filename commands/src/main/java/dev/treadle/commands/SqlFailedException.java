// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import org.jspecify.annotations.Nullable;

/** The error of a command of SQL that failed. What it began was rolled back, as far as the database still hears us. */
public final class SqlFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Reason {
        /** There was no connection to be had. */
        NO_CONNECTION,
        /** The connection broke. The statement may have been done, or not. */
        BROKEN,
        /** It ran longer than the registration allows. */
        TIMEOUT,
        /** It breaks a rule of the data: a key that is there already, a null, a missing parent. */
        CONSTRAINT,
        /** It met another transaction: a deadlock, or one that could not be kept apart. Repeat it. */
        CONFLICT,
        /** The result has more rows than the registration allows. */
        TOO_MANY_ROWS,
        /** The cursor is not open, or not this process's own. */
        NO_CURSOR,
        /** The database refused it for another reason: the SQL state and the cause tell. */
        REFUSED
    }

    private final Reason reason;
    private final @Nullable String sqlState;

    SqlFailedException(Reason reason, @Nullable String sqlState, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.sqlState = sqlState;
    }

    /** Returns what went wrong. */
    public Reason reason() {
        return reason;
    }

    /** Returns the five characters of the SQL state, or null if there are none. */
    public @Nullable String sqlState() {
        return sqlState;
    }

    /** Returns whether the same command may well succeed if it is repeated. */
    public boolean isTransient() {
        return reason == Reason.CONFLICT || reason == Reason.NO_CONNECTION;
    }
}

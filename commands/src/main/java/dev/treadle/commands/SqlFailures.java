// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;

/** Makes of what a driver throws what a process can act on. */
final class SqlFailures {
    private SqlFailures() {}

    static SqlFailedException noConnection(Command command, SQLException cause) {
        return new SqlFailedException(
                SqlFailedException.Reason.NO_CONNECTION,
                cause.getSQLState(),
                command + " got no connection (" + cause.getMessage()
                        + "), it needs one of the data source: check that the database runs, and that its pool has as many"
                        + " connections as runningMax and cursorsMax together",
                cause);
    }

    static SqlFailedException of(Command command, SQLException cause) {
        SqlFailedException.Reason reason = reason(cause);
        return new SqlFailedException(
                reason,
                cause.getSQLState(),
                command + " failed with SQL state " + cause.getSQLState() + " (" + cause.getMessage() + "): "
                        + remedy(reason),
                cause);
    }

    private static SqlFailedException.Reason reason(SQLException cause) {
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        if (cause instanceof SQLTimeoutException || state.equals("57014")) {
            return SqlFailedException.Reason.TIMEOUT;
        }
        if (state.startsWith("08")) {
            return SqlFailedException.Reason.BROKEN;
        }
        if (state.startsWith("23")) {
            return SqlFailedException.Reason.CONSTRAINT;
        }
        return state.startsWith("40") ? SqlFailedException.Reason.CONFLICT : SqlFailedException.Reason.REFUSED;
    }

    private static String remedy(SqlFailedException.Reason reason) {
        return switch (reason) {
            case TIMEOUT -> "raise statementTimeout where the handlers are registered, or let the statement do less";
            case BROKEN, NO_CONNECTION -> "look at the database; repeat the command if that is safe";
            case CONSTRAINT -> "correct the data, or catch the case in the statement";
            case CONFLICT -> "repeat it";
            case TOO_MANY_ROWS, NO_CURSOR, REFUSED -> "correct the statement or its parameters";
        };
    }

    static SqlFailedException tooManyRows(Command query, int rowsMax) {
        return new SqlFailedException(
                SqlFailedException.Reason.TOO_MANY_ROWS,
                null,
                query + " has more than " + rowsMax
                        + " rows, which is rowsMax: select fewer, read it in pages with SqlCursor, or raise rowsMax",
                null);
    }

    static SqlFailedException noCursor(long cursor) {
        return new SqlFailedException(
                SqlFailedException.Reason.NO_CURSOR,
                null,
                "cursor " + cursor + " is not open for this process, it is open while its SqlCursor is in flight:"
                        + " yield the SqlCursor first, in the same step or before, and with time enough",
                null);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Asks a driver to cancel the statement that runs on a connection; may be asked again. */
final class SqlCancel {
    /*
     * PostgreSQL's driver sends one request for each run of a statement, and none if it is asked again. A request that reaches
     * the server before the statement does is lost there, and the statement runs on, even after the connection was aborted.
     * So from the second time on its connection is asked, which sends a request each time. It is found by its name, as the
     * driver is the user's and there may be none.
     */
    private static final String POSTGRES = "org.postgresql.PGConnection";

    private final Connection connection;
    private final Statement statement;
    private boolean asked;

    SqlCancel(Connection connection, Statement statement) {
        this.connection = connection;
        this.statement = statement;
    }

    /** The thread that stops the statement. */
    void ask() throws SQLException {
        statement.cancel();
        if (asked) {
            askPostgres();
        }
        asked = true;
    }

    private void askPostgres() throws SQLException {
        Class<?> type = postgresType();
        if (type == null || !connection.isWrapperFor(type)) {
            return;
        }
        try {
            Method cancel = type.getMethod("cancelQuery");
            cancel.invoke(connection.unwrap(type));
        } catch (ReflectiveOperationException e) {
            throw new SQLException("the connection cannot be asked to cancel its query", e);
        }
    }

    private @Nullable Class<?> postgresType() throws SQLException {
        ClassLoader driver = connection.getMetaData().getClass().getClassLoader();
        for (ClassLoader loader :
                new ClassLoader[] {driver, Thread.currentThread().getContextClassLoader()}) {
            try {
                return Class.forName(POSTGRES, false, loader);
            } catch (ClassNotFoundException e) {
                // A pool, or another driver: look further.
            }
        }
        return null;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.BlockingCall;
import dev.treadle.Command;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import javax.sql.DataSource;

/** Does the work of {@link SqlQuery}, {@link SqlUpdate}, {@link SqlBatch} and {@link SqlTransaction}. */
final class SqlCalls {
    private final DataSource source;
    private final int rowsMax;
    private final Duration statementTimeout;

    SqlCalls(DataSource source, int rowsMax, Duration statementTimeout) {
        this.source = source;
        this.rowsMax = rowsMax;
        this.statementTimeout = statementTimeout;
    }

    /** A query or an update. */
    Object single(SqlStatement statement, BlockingCall call) {
        return connected(
                statement, call, (connection, session) -> session.committed(() -> session.run(statement, rowsMax)));
    }

    Object batch(SqlBatch batch, BlockingCall call) {
        return connected(
                batch, call, (connection, session) -> session.inTransaction(() -> session.run(batch, rowsMax)));
    }

    Object transaction(SqlTransaction transaction, BlockingCall call) {
        return connected(transaction, call, (connection, session) -> {
            int level = level(transaction.isolation());
            if (level == Connection.TRANSACTION_NONE) {
                return all(transaction, session);
            }
            int before = connection.getTransactionIsolation();
            connection.setTransactionIsolation(level);
            try {
                return all(transaction, session);
            } finally {
                SqlSession.quietly(() -> connection.setTransactionIsolation(before));
            }
        });
    }

    private Object all(SqlTransaction transaction, SqlSession session) throws SQLException {
        return session.inTransaction(() -> {
            var results = new ArrayList<Object>();
            for (SqlStatement statement : transaction.statements()) {
                results.add(session.run(statement, rowsMax));
            }
            return results;
        });
    }

    private static int level(SqlTransaction.Isolation isolation) {
        return switch (isolation) {
            case DEFAULT -> Connection.TRANSACTION_NONE;
            case READ_COMMITTED -> Connection.TRANSACTION_READ_COMMITTED;
            case REPEATABLE_READ -> Connection.TRANSACTION_REPEATABLE_READ;
            case SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
        };
    }

    private Object connected(Command command, BlockingCall call, Use use) {
        try (Connection connection = SqlSession.connect(source, command, call)) {
            return use.run(connection, new SqlSession(connection, call, statementTimeout));
        } catch (SQLException e) {
            throw SqlFailures.of(command, e);
        }
    }

    private interface Use {
        Object run(Connection connection, SqlSession session) throws SQLException;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.BlockingCall;
import dev.treadle.Command;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A connection while one call uses it. The thread of the call only, but for what stops it. */
final class SqlSession {
    /*
     * How a statement is stopped. An interrupt does not reach a driver that waits for its database, and some embedded
     * databases take harm from one. So a thread beside asks the driver to cancel the statement. It asks again, as the first
     * request may come before the statement has begun and be lost; and if that does not help for a while it aborts the
     * connection. A request holds a lock that the end of the statement waits for: a late one would hit whatever the next
     * user of the connection runs.
     *
     * Only the wait for a connection is interrupted.
     */
    private static final int CANCELS_MAX = 50;
    private static final long CANCEL_PAUSE_MILLIS = 100;
    private static final int BATCH_ROWS = 1_000;

    private final Connection connection;
    private final BlockingCall call;
    private final Duration statementTimeout;

    SqlSession(Connection connection, BlockingCall call, Duration statementTimeout) {
        this.connection = connection;
        this.call = call;
        this.statementTimeout = statementTimeout;
    }

    /** Something that is done with a connection. */
    @FunctionalInterface
    interface Action<T> {
        T run() throws SQLException;
    }

    static Connection connect(DataSource source, Command command, BlockingCall call) {
        call.stopByInterrupt();
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw SqlFailures.noConnection(command, e);
        } finally {
            call.stopByNothing();
        }
    }

    Object run(SqlStatement statement, int rowsMax) {
        try {
            if (statement instanceof SqlQuery query) {
                return query(query, rowsMax);
            }
            return statement instanceof SqlBatch batch ? batch(batch) : update((SqlUpdate) statement);
        } catch (SQLException e) {
            throw SqlFailures.of(statement, e);
        }
    }

    private SqlRows query(SqlQuery query, int rowsMax) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query.sql())) {
            // One more than is allowed shows that there are too many, and no driver fetches more.
            statement.setMaxRows(Math.min(rowsMax, Integer.MAX_VALUE - 1) + 1);
            SqlValues.bind(statement, query.parameters());
            return execute(statement, () -> {
                try (ResultSet result = statement.executeQuery()) {
                    var rows = new ArrayList<List<@Nullable Object>>();
                    while (result.next()) {
                        if (rows.size() == rowsMax) {
                            throw SqlFailures.tooManyRows(query, rowsMax);
                        }
                        rows.add(SqlValues.row(result));
                    }
                    return new SqlRows(SqlValues.columns(result), rows, true);
                }
            });
        }
    }

    private SqlUpdated update(SqlUpdate update) throws SQLException {
        try (PreparedStatement statement = update.keys().isEmpty()
                ? connection.prepareStatement(update.sql())
                : connection.prepareStatement(update.sql(), update.keys().toArray(String[]::new))) {
            SqlValues.bind(statement, update.parameters());
            return execute(statement, () -> {
                int count = statement.executeUpdate();
                return new SqlUpdated(count, update.keys().isEmpty() ? SqlRows.NONE : keys(statement));
            });
        }
    }

    private static SqlRows keys(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.getGeneratedKeys()) {
            var rows = new ArrayList<List<@Nullable Object>>();
            while (result.next()) {
                rows.add(SqlValues.row(result));
            }
            return new SqlRows(SqlValues.columns(result), rows, true);
        }
    }

    private SqlUpdated batch(SqlBatch batch) throws SQLException {
        long count = 0;
        try (PreparedStatement statement = connection.prepareStatement(batch.sql())) {
            for (int from = 0; from < batch.rows().size(); from += BATCH_ROWS) {
                int to = Math.min(from + BATCH_ROWS, batch.rows().size());
                for (List<@Nullable Object> row : batch.rows().subList(from, to)) {
                    SqlValues.bind(statement, row);
                    statement.addBatch();
                }
                for (int changed : execute(statement, statement::executeBatch)) {
                    count = changed < 0 || count == SqlUpdated.UNKNOWN ? SqlUpdated.UNKNOWN : count + changed;
                }
            }
        }
        return new SqlUpdated(count, SqlRows.NONE);
    }

    /** Runs a statement so that it ends if the call is stopped, or if it takes too long. */
    <T> T execute(Statement statement, Action<T> action) throws SQLException {
        statement.setQueryTimeout((int)
                Math.min(Integer.MAX_VALUE, statementTimeout.plusMillis(999).toSeconds()));
        var ended = new CountDownLatch(1);
        var asking = new ReentrantLock();
        call.stopBy(() -> call.beside(() -> cancel(statement, asking, ended)));
        try {
            call.checkStopped();
            return action.run();
        } finally {
            call.stopByNothing();
            end(asking, ended);
        }
    }

    /** Lets a request that is under way come to its end; there is no other one afterwards. */
    private static void end(ReentrantLock asking, CountDownLatch ended) {
        asking.lock();
        try {
            ended.countDown();
        } finally {
            asking.unlock();
        }
    }

    /** A thread beside. */
    private void cancel(Statement statement, ReentrantLock asking, CountDownLatch ended) {
        var request = new SqlCancel(connection, statement);
        try {
            for (int asked = 0; asked < CANCELS_MAX; asked++) {
                if (!request(asking, ended, request::ask)) {
                    return;
                }
                if (ended.await(CANCEL_PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does that to our thread, and the connection must go
        }
        request(asking, ended, () -> connection.abort(Runnable::run));
    }

    private static boolean request(ReentrantLock asking, CountDownLatch ended, Request request) {
        asking.lock();
        try {
            if (ended.getCount() == 0) {
                return false;
            }
            request.send();
        } catch (SQLException | RuntimeException e) {
            // The driver cannot, or the connection is broken: the statement ends by that, or by the abort.
        } finally {
            asking.unlock();
        }
        return true;
    }

    /** Something that is asked of a driver. */
    interface Request {
        void send() throws SQLException;
    }

    /** Runs something, and commits it or rolls it back; without a transaction if the connection commits by itself. */
    <T> T committed(Action<T> action) throws SQLException {
        return connection.getAutoCommit() ? action.run() : inTransaction(action);
    }

    /** Runs something in a transaction, and leaves the connection as it was. */
    <T> T inTransaction(Action<T> action) throws SQLException {
        boolean byItself = connection.getAutoCommit();
        if (byItself) {
            connection.setAutoCommit(false);
        }
        try {
            T result = action.run();
            call.checkStopped(); // the last chance: what is committed is done
            connection.commit();
            return result;
        } catch (Throwable thrown) {
            rollBack(thrown);
            throw thrown;
        } finally {
            if (byItself) {
                quietly(() -> connection.setAutoCommit(true));
            }
        }
    }

    private void rollBack(Throwable thrown) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            thrown.addSuppressed(e);
        }
    }

    /** Does what can fail only if the connection is broken, and then does not matter. */
    static void quietly(Request request) {
        try {
            request.send();
        } catch (SQLException e) {
            // The pool finds out, and throws the connection away.
        }
    }
}

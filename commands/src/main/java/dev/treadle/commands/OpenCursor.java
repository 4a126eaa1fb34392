// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.BlockingCall;
import dev.treadle.Pid;
import dev.treadle.ResultReceiver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A result that is read page by page, with the connection that it holds. */
final class OpenCursor {
    /*
     * The yield of the SqlCursor is the life of the cursor: it ends with the last page, a close, a failure, a timeout, or
     * the end of the process, and whoever ends it first calls end(). A handler hears of the end of a process only while a
     * yield is in flight; that is why there is one for the cursor, and not only for its pages.
     *
     *   state        reader   what end() does
     *   idle         null     hands the connection back, beside the last call
     *   reading      a call   stops that call, which hands the connection back when it returns
     *   ended        -        nothing
     *
     * turn is held by the call that reads, for as long as it does: a second page waits for it. lock guards the state, for
     * moments only. The fields of the result belong to whoever holds the turn, or ends an idle cursor.
     */
    private final SqlCursor command;
    private final ResultReceiver receiver;
    private final DataSource source;
    private final Duration statementTimeout;
    private final Runnable forget;

    private final ReentrantLock turn = new ReentrantLock(true);
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable BlockingCall reader;
    private @Nullable BlockingCall lastReader; // has threads on which the connection can be handed back
    private boolean exhausted;
    private boolean ended;
    private @Nullable Alarm alarm;

    private @Nullable Connection connection;
    private boolean commitsByItself;
    private @Nullable PreparedStatement statement;
    private @Nullable ResultSet result;
    private boolean onRow;
    private final AtomicLong rowsRead = new AtomicLong(); // the process may ask while a page is read

    OpenCursor(
            SqlCursor command, ResultReceiver receiver, DataSource source, Duration statementTimeout, Runnable forget) {
        this.command = command;
        this.receiver = receiver;
        this.source = source;
        this.statementTimeout = statementTimeout;
        this.forget = forget;
    }

    /** A worker, when the cursor can be found. */
    void start(Duration cursorTimeout) {
        setAlarm(Alarm.after(cursorTimeout, () -> {
            if (end()) {
                receiver.fail(new SqlFailedException(
                        SqlFailedException.Reason.TIMEOUT,
                        null,
                        "cursor of " + command.query() + " was closed, it was open for " + cursorTimeout
                                + ", which is cursorTimeout: raise it where the handlers are registered, or read faster",
                        null));
            }
        }));
        receiver.onCancel(() -> {
            if (end()) {
                receiver.fail(new CancellationException("cursor of " + command.query()
                        + " was closed: its process has ended, was cancelled or out of time"));
            }
        });
    }

    private void setAlarm(Alarm set) {
        lock.lock();
        try {
            alarm = set;
        } finally {
            lock.unlock();
        }
    }

    boolean isOf(Pid pid) {
        return receiver.pid().equals(pid);
    }

    /** A worker: the process has seen enough. */
    void close() {
        if (end()) {
            receiver.complete(rowsRead.get());
        }
    }

    /** A thread for blocking calls. */
    SqlRows nextPage(BlockingCall call) throws InterruptedException {
        call.stopByInterrupt();
        turn.lockInterruptibly();
        try {
            call.stopByNothing();
            begin(call);
            boolean whole = false;
            try {
                SqlRows page = read(call);
                whole = !page.isLast();
                if (page.isLast()) {
                    call.afterwards(this::close); // the process gets the page first
                }
                return page;
            } catch (Throwable thrown) {
                Throwable reason = call.isStopped() ? pageStopped(thrown) : thrown;
                call.afterwards(() -> fail(reason));
                throw thrown;
            } finally {
                finish(whole);
            }
        } finally {
            turn.unlock();
        }
    }

    /** Whatever the driver made of it, the cursor was closed because nobody wanted its page any more. */
    private CancellationException pageStopped(Throwable thrown) {
        var cancelled = new CancellationException(
                "cursor of " + command.query() + " was closed: a page of it was cancelled or out of time");
        cancelled.initCause(thrown);
        return cancelled;
    }

    private void fail(Throwable thrown) {
        if (end()) {
            receiver.fail(thrown);
        }
    }

    private void begin(BlockingCall call) {
        lock.lock();
        try {
            if (ended || exhausted) {
                throw SqlFailures.noCursor(command.id());
            }
            reader = call;
            lastReader = call;
        } finally {
            lock.unlock();
        }
    }

    /** The reader, when it is done: hands the connection back unless another page follows. */
    private void finish(boolean moreFollow) {
        boolean release;
        lock.lock();
        try {
            reader = null;
            exhausted = !moreFollow;
            release = ended || !moreFollow;
        } finally {
            lock.unlock();
        }
        if (release) {
            release();
        }
    }

    /** Any thread. Returns whether this was the end; then the caller answers the yield. */
    private boolean end() {
        BlockingCall releaser;
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            ended = true;
            releaser = reader == null && !exhausted ? lastReader : null;
            if (reader != null) {
                reader.stop();
            }
            if (alarm != null) {
                alarm.cancel();
            }
        } finally {
            lock.unlock();
        }
        forget.run();
        if (releaser != null) {
            releaser.beside(this::releaseInTurn);
        }
        return true;
    }

    private void releaseInTurn() {
        turn.lock();
        try {
            release();
        } finally {
            turn.unlock();
        }
    }

    private SqlRows read(BlockingCall call) {
        try {
            if (connection == null) {
                connection = SqlSession.connect(source, command, call);
                commitsByItself = connection.getAutoCommit();
                connection.setAutoCommit(false); // PostgreSQL reads in portions within a transaction only
            }
            var session = new SqlSession(connection, call, statementTimeout);
            PreparedStatement statement = this.statement == null ? prepare(connection) : this.statement;
            return session.execute(statement, () -> page(statement));
        } catch (SQLException e) {
            throw SqlFailures.of(command.query(), e);
        }
    }

    private PreparedStatement prepare(Connection connection) throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(
                command.query().sql(), ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        statement = prepared;
        prepared.setFetchSize(command.pageSize());
        SqlValues.bind(prepared, command.query().parameters());
        return prepared;
    }

    private SqlRows page(PreparedStatement statement) throws SQLException {
        ResultSet result = this.result;
        if (result == null) {
            result = statement.executeQuery();
            this.result = result;
            onRow = result.next();
        }
        var rows = new ArrayList<List<@Nullable Object>>();
        while (onRow && rows.size() < command.pageSize()) {
            rows.add(SqlValues.row(result));
            onRow = result.next(); // one ahead, to know whether this page is the last
        }
        rowsRead.addAndGet(rows.size());
        return new SqlRows(SqlValues.columns(result), rows, !onRow);
    }

    /** Whoever holds the turn. */
    private void release() {
        Connection connection = this.connection;
        if (connection == null) {
            return;
        }
        this.connection = null;
        PreparedStatement statement = this.statement;
        if (statement != null) {
            SqlSession.quietly(statement::close); // and its result
        }
        SqlSession.quietly(connection::rollback);
        if (commitsByItself) {
            SqlSession.quietly(() -> connection.setAutoCommit(true));
        }
        SqlSession.quietly(connection::close);
    }
}

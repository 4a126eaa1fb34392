// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.ResultReceiver;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Does the work of {@link SqlCursor}, {@link SqlPage} and {@link SqlClose}: knows which cursors are open. */
final class SqlCursors {
    private final DataSource source;
    private final BlockingCalls calls;
    private final Duration statementTimeout;
    private final Duration cursorTimeout;
    private final int cursorsMax;
    private final Semaphore free;
    private final ConcurrentHashMap<Long, OpenCursor> open = new ConcurrentHashMap<>();

    SqlCursors(
            DataSource source, BlockingCalls calls, Duration statementTimeout, Duration cursorTimeout, int cursorsMax) {
        this.source = source;
        this.calls = calls;
        this.statementTimeout = statementTimeout;
        this.cursorTimeout = cursorTimeout;
        this.cursorsMax = cursorsMax;
        free = new Semaphore(cursorsMax);
    }

    /** A worker. Only writes the cursor down: its first page opens it. */
    void open(SqlCursor command, ResultReceiver receiver) {
        if (!free.tryAcquire()) {
            receiver.fail(new OverloadException("cursor of " + command.query() + " was refused: " + cursorsMax
                    + " are open, the most that cursorsMax allows:"
                    + " raise it where the handlers are registered, or open fewer at once"));
            return;
        }
        var cursor = new OpenCursor(command, receiver, source, calls, statementTimeout, () -> forget(command.id()));
        if (open.putIfAbsent(command.id(), cursor) != null) {
            free.release();
            receiver.fail(new IllegalStateException("cursor " + command.id()
                    + " is open already, one can be open once: make one for each use with SqlCursor.of"));
            return;
        }
        cursor.start(cursorTimeout);
    }

    private void forget(long id) {
        if (open.remove(id) != null) {
            free.release();
        }
    }

    /** A thread for blocking calls. */
    Object page(SqlPage page, BlockingCalls.Call<SqlPage> call) throws InterruptedException {
        OpenCursor cursor = find(page.cursor(), call.receiver());
        if (cursor == null) {
            throw SqlFailures.noCursor(page.cursor());
        }
        return cursor.nextPage(call);
    }

    /** A worker. */
    void close(SqlClose close, ResultReceiver receiver) {
        OpenCursor cursor = find(close.cursor(), receiver);
        if (cursor != null) {
            cursor.close();
        }
        receiver.complete(null);
    }

    /** A process finds its own cursors only. */
    private @Nullable OpenCursor find(long id, ResultReceiver receiver) {
        OpenCursor cursor = open.get(id);
        return cursor != null && cursor.isOf(receiver.pid()) ? cursor : null;
    }

    /** How many are open. */
    int size() {
        return open.size();
    }
}

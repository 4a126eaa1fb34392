// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.BlockingCall;
import dev.treadle.Pid;
import dev.treadle.ResultReceiver;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Does the work of {@link SqlCursor}, {@link SqlPage} and {@link SqlClose}: knows which cursors are open. */
final class SqlCursors {
    private final DataSource source;
    private final Duration statementTimeout;
    private final Duration cursorTimeout;
    private final ConcurrentHashMap<Long, OpenCursor> open = new ConcurrentHashMap<>();

    SqlCursors(DataSource source, Duration statementTimeout, Duration cursorTimeout) {
        this.source = source;
        this.statementTimeout = statementTimeout;
        this.cursorTimeout = cursorTimeout;
    }

    /** Must be quick: only writes the cursor down, its first page opens it. */
    void open(SqlCursor command, ResultReceiver receiver) {
        var cursor = new OpenCursor(command, receiver, source, statementTimeout, () -> open.remove(command.id()));
        if (open.putIfAbsent(command.id(), cursor) != null) {
            receiver.fail(new IllegalStateException("cursor " + command.id()
                    + " is open already, one can be open once: make one for each use with SqlCursor.of"));
            return;
        }
        cursor.start(cursorTimeout);
    }

    /** A thread for blocking calls. */
    Object page(SqlPage page, BlockingCall call) throws InterruptedException {
        OpenCursor cursor = find(page.cursor(), call.pid());
        if (cursor == null) {
            throw SqlFailures.noCursor(page.cursor());
        }
        return cursor.nextPage(call);
    }

    /** A worker. */
    void close(SqlClose close, ResultReceiver receiver) {
        OpenCursor cursor = find(close.cursor(), receiver.pid());
        if (cursor != null) {
            cursor.close();
        }
        receiver.complete(null);
    }

    /** A process finds its own cursors only. */
    private @Nullable OpenCursor find(long id, Pid pid) {
        OpenCursor cursor = open.get(id);
        return cursor != null && cursor.isOf(pid) ? cursor : null;
    }
}

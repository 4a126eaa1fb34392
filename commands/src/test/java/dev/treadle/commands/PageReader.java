// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.StepOutput;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Reads a cursor up to so many pages; closes it on "close"; ends with the completion of the cursor itself. */
final class PageReader implements Process {
    private static final long CURSOR = 1;
    private static final long PAGE = 2;
    private static final long CLOSE = 3;

    private final SqlCursor cursor;
    private final int pagesMax;
    private Duration cursorTimeout = Duration.ofMinutes(5);
    private Duration pageTimeout = Duration.ofMinutes(5);
    private final List<SqlRows> pages = new CopyOnWriteArrayList<>();

    PageReader(String sql, int pageSize, int pagesMax) {
        cursor = SqlCursor.of(SqlQuery.of(sql), pageSize);
        this.pagesMax = pagesMax;
    }

    PageReader withCursorTimeout(Duration timeout) {
        cursorTimeout = timeout;
        return this;
    }

    PageReader withPageTimeout(Duration timeout) {
        pageTimeout = timeout;
        return this;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {}

    @Override
    public void step(Events events, StepOutput out) {
        if (events.isEmpty()) {
            out.yield(cursor, CURSOR, cursorTimeout);
            out.yield(cursor.nextPage(), PAGE, pageTimeout);
        }
        out.idle();
        for (Event event : events) {
            if (event instanceof Completion page && page.tag() == PAGE) {
                if (!page.isFailed()) {
                    turn(page.data(SqlRows.class), out);
                }
            } else if (event instanceof Completion end && end.tag() == CURSOR) {
                out.done(end);
            } else if (event instanceof Message message && message.topic().equals("close")) {
                out.yield(cursor.close(), CLOSE);
            }
        }
    }

    private void turn(SqlRows page, StepOutput out) {
        pages.add(page);
        if (!page.isLast() && pages.size() < pagesMax) {
            out.yield(cursor.nextPage(), PAGE, pageTimeout);
        }
    }

    SqlCursor cursor() {
        return cursor;
    }

    List<Integer> pageSizes() {
        return pages.stream().map(SqlRows::size).toList();
    }

    List<Object> firstValues() {
        return pages.stream().map(page -> page.rows().get(0).get(0)).toList();
    }

    Completion end(ProcessRef self) {
        return LoneCommand.completion(self);
    }
}

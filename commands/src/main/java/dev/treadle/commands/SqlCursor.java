// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the result of a query open, to be read page by page with {@link #nextPage}. The cursor is open exactly as long as
 * its yield is in flight.
 *
 * <pre>{@code
 * SqlCursor cursor = SqlCursor.of(SqlQuery.of("select id from person order by id"), 2);
 * out.yield(cursor, 1, Duration.ofMinutes(5)); // how long it may stay open
 * out.yield(cursor.nextPage(), 2);
 * }</pre>
 *
 * <p>Each {@link SqlPage} completes with the next {@link SqlRows}. After the last page, or an {@link SqlClose}, the cursor
 * itself completes with how many rows were read, as a Long. It holds a connection and a transaction from its first page on,
 * so all pages show the data of one moment, as far as the database goes; and it holds them while the process thinks. Where
 * the query has a key to go on from ({@code where id > ? order by id limit ?}), plain queries hold nothing and are better
 * for long work.
 *
 * <p><b>Overload:</b> beyond {@link SqlHandlers#cursorsMax} open ones it fails at once with a {@link
 * dev.treadle.CommandOverloadException}. <b>Timeout:</b> when that of its yield is over, or {@link
 * SqlHandlers#cursorTimeout}, it is closed, and pages fail. <b>Cancel:</b> when the process ends or is cancelled it is
 * closed. Closed means that a page that is being read is cancelled, and the connection goes back.
 *
 * @param id tells cursors apart; {@link #of} gives each its own
 * @param query what to read
 * @param pageSize how many rows a page has, the last one excepted
 */
public record SqlCursor(long id, SqlQuery query, int pageSize) implements Command {
    private static final AtomicLong IDS = new AtomicLong();

    /**
     * Makes a cursor with an id of your choice; one that is open already is refused.
     *
     * @throws IllegalArgumentException if the size of a page is not positive
     */
    public SqlCursor {
        Objects.requireNonNull(query, "query is null: give what to read");
        if (pageSize < 1) {
            throw new IllegalArgumentException(
                    "pageSize was " + pageSize + ", must be at least 1: it is how many rows a page has");
        }
    }

    /** Returns a cursor with an id that no other one of this JVM has. */
    public static SqlCursor of(SqlQuery query, int pageSize) {
        return new SqlCursor(IDS.incrementAndGet(), query, pageSize);
    }

    /** Returns the command that reads the next page. */
    public SqlPage nextPage() {
        return new SqlPage(id);
    }

    /** Returns the command that closes the cursor before its last page. */
    public SqlClose close() {
        return new SqlClose(id);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;

/**
 * Reads the next page of a {@link SqlCursor} of this process, and completes with its {@link SqlRows}.
 *
 * <pre>{@code
 * if (events.isFirst()) {
 *     SqlCursor cursor = SqlCursor.of(SqlQuery.of("select id from person order by id"), 2);
 *     pages.add(cursor.nextPage()); // kept in a field
 *     out.yield(cursor, 1, Duration.ofMinutes(5));
 *     out.yield(cursor.nextPage(), 2);
 * }
 * for (Event event : events) {
 *     if (event instanceof Completion c && c.tag() == 2) {
 *         SqlRows page = c.data(SqlRows.class);
 *         total.addAndGet(page.size());
 *         if (!page.isLast()) {
 *             out.yield(pages.get(0), 2);
 *         }
 *     } else if (event instanceof Completion c) {
 *         out.done(total + " of " + c.data(Long.class));
 *     }
 * }
 * }</pre>
 *
 * <p><b>Overload, timeout, cancel:</b> as for {@link SqlQuery}. A page that fails, times out or is cancelled while it is read
 * closes its cursor: nobody knows where it stands. One that was refused, or whose time was up before it was begun, leaves
 * the cursor as it was: yield it again, or close the cursor.
 *
 * @param cursor the id of the cursor
 */
public record SqlPage(long cursor) implements Command {}

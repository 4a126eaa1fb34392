// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;

/**
 * Closes a {@link SqlCursor} of this process, and completes with null. One that is closed already may be closed again.
 *
 * <pre>{@code
 * SqlCursor cursor = SqlCursor.of(SqlQuery.of("select id from person order by id"), 2);
 * out.yield(cursor, 1);
 * out.yield(cursor.close(), 2);
 * }</pre>
 *
 * <p><b>Overload, timeout, cancel:</b> it runs at once, beside the limits, and is never refused. It does not wait until the
 * connection is back.
 *
 * @param cursor the id of the cursor
 */
public record SqlClose(long cursor) implements Command {}

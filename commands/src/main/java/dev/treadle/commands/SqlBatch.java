// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs one statement with many rows of parameters, all or none, and completes with {@link SqlUpdated}.
 *
 * <pre>{@code
 * if (events.isFirst()) {
 *     List<List<Object>> rows = List.of(List.of("Barbara"), List.of("Edsger"));
 *     out.yield(SqlBatch.of("insert into person (name) values (?)", rows), 1, Duration.ofSeconds(5));
 * }
 * for (Event event : events) {
 *     if (event instanceof Completion c) {
 *         out.done(c.data(SqlUpdated.class).count());
 *     }
 * }
 * }</pre>
 *
 * <p><b>Overload, timeout, cancel:</b> as for {@link SqlQuery}; one that is cancelled is rolled back.
 *
 * @param sql the text, with a {@code ?} for each parameter
 * @param rows what is bound, for each run of the statement
 */
public record SqlBatch(String sql, List<List<@Nullable Object>> rows) implements SqlStatement {
    /**
     * Copies the rows.
     *
     * @throws IllegalArgumentException if the text is blank
     */
    public SqlBatch {
        sql = SqlText.checkSql(sql);
        rows = rows.stream().map(SqlText::copyOf).toList();
    }

    /** Returns a batch of these rows. */
    public static SqlBatch of(String sql, List<? extends List<? extends @Nullable Object>> rows) {
        return new SqlBatch(sql, rows.stream().map(SqlText::copyOf).toList());
    }

    /** Leaves out the parameters, which may be secret. */
    @Override
    public String toString() {
        return "SqlBatch[" + SqlText.shown(sql) + ", " + rows.size() + " rows]";
    }
}

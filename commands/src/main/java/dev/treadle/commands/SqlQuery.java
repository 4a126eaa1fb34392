// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks a database, and completes with all {@link SqlRows}. For more rows than memory should hold there is {@link SqlCursor}.
 *
 * <pre>{@code
 * record Person(long id, String name) {}
 * if (events.isFirst()) {
 *     out.yield(SqlQuery.of("select id, name from person where name like ? order by id", "A%"), 1, Duration.ofSeconds(5));
 * }
 * for (Event event : events) {
 *     if (event instanceof Completion c) {
 *         out.done(c.data(SqlRows.class).as(Person.class).toString());
 *     }
 * }
 * }</pre>
 *
 * <p><b>Overload:</b> beyond {@link SqlHandlers#runningMax} statements others wait; beyond {@link SqlHandlers#waitingMax}
 * it fails with a {@link dev.treadle.CommandOverloadException}. More rows than {@link SqlHandlers#rowsMax} fail it.
 * <b>Timeout:</b> that of the yield, and {@link SqlHandlers#statementTimeout}; then the statement is cancelled.
 * <b>Cancel:</b> one that waits is not begun; one that runs is cancelled in the database, and if the database does not
 * listen its connection is given up.
 *
 * @param sql the text, with a {@code ?} for each parameter
 * @param parameters what is bound, in order
 */
public record SqlQuery(String sql, List<@Nullable Object> parameters) implements SqlStatement {
    /**
     * Copies the parameters.
     *
     * @throws IllegalArgumentException if the text is blank
     */
    public SqlQuery {
        sql = SqlText.checkSql(sql);
        parameters = SqlText.copyOf(parameters);
    }

    /** Returns a query with its parameters. */
    public static SqlQuery of(String sql, @Nullable Object... parameters) {
        return new SqlQuery(sql, Arrays.asList(parameters));
    }

    /** Leaves out the parameters, which may be secret. */
    @Override
    public String toString() {
        return "SqlQuery[" + SqlText.shown(sql) + ", " + parameters.size() + " parameters]";
    }
}

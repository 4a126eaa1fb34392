// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes a database by one statement, and completes with {@link SqlUpdated}.
 *
 * <pre>{@code
 * if (events.isFirst()) {
 *     out.yield(SqlUpdate.of("insert into person (name) values (?)", "Grace").returning("id"), 1, Duration.ofSeconds(5));
 * }
 * for (Event event : events) {
 *     if (event instanceof Completion c) {
 *         SqlUpdated updated = c.data(SqlUpdated.class);
 *         out.done(updated.count() + " row, id " + updated.keys().value());
 *     }
 * }
 * }</pre>
 *
 * <p><b>Overload, timeout, cancel:</b> as for {@link SqlQuery}. One that was cancelled in time has changed nothing; one that
 * the cancel came too late for has done its work, though nobody is told.
 *
 * @param sql the text, with a {@code ?} for each parameter
 * @param parameters what is bound, in order
 * @param keys the columns that the database fills in and that are wanted, or none
 */
public record SqlUpdate(String sql, List<@Nullable Object> parameters, List<String> keys) implements SqlStatement {
    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if the text is blank
     */
    public SqlUpdate {
        sql = SqlText.checkSql(sql);
        parameters = SqlText.copyOf(parameters);
        keys = List.copyOf(keys);
    }

    /** Returns an update with its parameters. */
    public static SqlUpdate of(String sql, @Nullable Object... parameters) {
        return new SqlUpdate(sql, Arrays.asList(parameters), List.of());
    }

    /** Returns the same update that also wants these columns of the new rows. */
    public SqlUpdate returning(String... columns) {
        return new SqlUpdate(sql, parameters, List.of(columns));
    }

    /** Leaves out the parameters, which may be secret. */
    @Override
    public String toString() {
        return "SqlUpdate[" + SqlText.shown(sql) + ", " + parameters.size() + " parameters]";
    }
}

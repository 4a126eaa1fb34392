// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.CallLimit;
import dev.treadle.CommandRegistry;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Registers the handlers of {@link SqlQuery}, {@link SqlUpdate}, {@link SqlBatch}, {@link SqlTransaction} and {@link
 * SqlCursor}, over any data source.
 *
 * <pre>{@code
 * SqlHandlers.over(pool).runningMax(8).register(registry);
 * }</pre>
 *
 * <p>The data source is yours, and should be a pool such as HikariCP. It should have {@link #runningMax} and {@link
 * #cursorsMax} connections together: a statement that waits for a connection holds one of the places to run.
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><th>setting</th><th>default</th></tr>
 * <tr><td>{@link #runningMax}</td><td>8 statements</td></tr>
 * <tr><td>{@link #waitingMax}</td><td>16,384 statements</td></tr>
 * <tr><td>{@link #cursorsMax}</td><td>2 cursors</td></tr>
 * <tr><td>{@link #rowsMax}</td><td>10,000 rows</td></tr>
 * <tr><td>{@link #statementTimeout}</td><td>60 s</td></tr>
 * <tr><td>{@link #cursorTimeout}</td><td>10 min</td></tr>
 * </table>
 */
public final class SqlHandlers {
    private final DataSource source;
    private int runningMax = 8;
    private int waitingMax = 16_384;
    private int cursorsMax = 2;
    private int rowsMax = 10_000;
    private Duration statementTimeout = Duration.ofSeconds(60);
    private Duration cursorTimeout = Duration.ofMinutes(10);

    private SqlHandlers(DataSource source) {
        this.source = source;
    }

    /** Uses this data source. */
    public static SqlHandlers over(DataSource source) {
        return new SqlHandlers(Objects.requireNonNull(source, "source is null: give a DataSource, a pool if you can"));
    }

    /** Sets how many statements and pages run at once. */
    public SqlHandlers runningMax(int statements) {
        runningMax = statements;
        return this;
    }

    /** Sets how many of them wait for others to end, at the most; 0 for none. */
    public SqlHandlers waitingMax(int statements) {
        waitingMax = statements;
        return this;
    }

    /** Sets how many cursors may be open at once; each holds a connection. */
    public SqlHandlers cursorsMax(int cursors) {
        cursorsMax = cursors;
        return this;
    }

    /** Sets how many rows a {@link SqlQuery} may give. */
    public SqlHandlers rowsMax(int rows) {
        rowsMax = rows;
        return this;
    }

    /** Sets how long one statement may run in the database; drivers count in whole seconds. */
    public SqlHandlers statementTimeout(Duration timeout) {
        statementTimeout = Objects.requireNonNull(timeout, "statementTimeout is null: leave it unset to use 60 s");
        return this;
    }

    /** Sets how long a cursor may stay open. */
    public SqlHandlers cursorTimeout(Duration timeout) {
        cursorTimeout = Objects.requireNonNull(timeout, "cursorTimeout is null: leave it unset to use 10 min");
        return this;
    }

    /**
     * Registers the handlers. Settings that are changed afterwards do not matter to them.
     *
     * @throws IllegalArgumentException if a setting is invalid; the message names all that are
     */
    public CommandRegistry register(CommandRegistry registry) {
        new Limits("SqlHandlers")
                .atLeast("runningMax", runningMax, 1, "how many statements run at once")
                .atLeast("waitingMax", waitingMax, 0, "how many statements wait")
                .atLeast("cursorsMax", cursorsMax, 1, "how many cursors may be open")
                .atLeast("rowsMax", rowsMax, 1, "how many rows a query may give")
                .positive("statementTimeout", statementTimeout, "how long a statement may run")
                .positive("cursorTimeout", cursorTimeout, "how long a cursor may stay open")
                .check();
        var limit = CallLimit.of(runningMax, waitingMax);
        var statements = new SqlCalls(source, rowsMax, statementTimeout);
        var cursors = new SqlCursors(source, statementTimeout, cursorTimeout);
        return registry.registerBlocking(SqlQuery.class, limit, statements::single)
                .registerBlocking(SqlUpdate.class, limit, statements::single)
                .registerBlocking(SqlBatch.class, limit, statements::batch)
                .registerBlocking(SqlTransaction.class, limit, statements::transaction)
                .register(SqlCursor.class, CallLimit.of(cursorsMax, 0), cursors::open)
                .registerBlocking(SqlPage.class, limit, cursors::page)
                .register(SqlClose.class, cursors::close);
    }
}

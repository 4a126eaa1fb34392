// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;
import java.util.List;
import java.util.Objects;

/**
 * Runs statements in order, all or none, and completes with the list of what each of them gives.
 *
 * <pre>{@code
 * if (events.isFirst()) {
 *     out.yield(SqlTransaction.of(
 *             SqlUpdate.of("update account set balance = balance - ? where id = ?", 30, 1),
 *             SqlUpdate.of("update account set balance = balance + ? where id = ?", 30, 2),
 *             SqlQuery.of("select balance from account order by id")), 1, Duration.ofSeconds(5));
 * }
 * for (Event event : events) {
 *     if (event instanceof Completion c) {
 *         SqlRows balances = (SqlRows) c.data(List.class).get(2);
 *         out.done(balances.rows().toString());
 *     }
 * }
 * }</pre>
 *
 * <p>A process does not decide anything in the middle: a transaction that waits for a process holds its locks meanwhile.
 * What depends on what was read goes into the statements, or into a condition such as {@code where version = ?}.
 *
 * <p><b>Overload, timeout, cancel:</b> as for {@link SqlQuery}; one that is cancelled before it is committed is rolled back.
 *
 * @param statements what to run, in order
 * @param isolation how far it is kept apart from others
 */
public record SqlTransaction(List<SqlStatement> statements, Isolation isolation) implements Command {
    /** How far a transaction is kept apart from others that run at the same time. */
    public enum Isolation {
        /** As the connection has it. */
        DEFAULT,
        /** Sees what others have committed. */
        READ_COMMITTED,
        /** Sees the same at each look. */
        REPEATABLE_READ,
        /** As if it ran alone. The database may refuse it with a conflict: then repeat it. */
        SERIALIZABLE
    }

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if it is empty
     */
    public SqlTransaction {
        statements = List.copyOf(statements);
        Objects.requireNonNull(isolation, "isolation is null: use Isolation.DEFAULT");
        if (statements.isEmpty()) {
            throw new IllegalArgumentException(
                    "statements was empty, a transaction has at least 1: give one, or do not yield it");
        }
    }

    /** Returns a transaction of these statements. */
    public static SqlTransaction of(SqlStatement... statements) {
        return new SqlTransaction(List.of(statements), Isolation.DEFAULT);
    }

    /** Returns the same transaction with this isolation. */
    public SqlTransaction withIsolation(Isolation isolation) {
        return new SqlTransaction(statements, isolation);
    }
}

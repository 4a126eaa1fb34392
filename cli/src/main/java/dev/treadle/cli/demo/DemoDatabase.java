// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.CommandRegistry;
import dev.treadle.commands.SqlHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;

/** A database in memory, which is gone when it is closed. */
final class DemoDatabase implements AutoCloseable {
    private static final int CONNECTIONS = 4;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final JdbcConnectionPool pool;

    DemoDatabase() {
        pool = JdbcConnectionPool.create(
                "jdbc:h2:mem:treadle-demo-" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1", "demo", "");
        pool.setMaxConnections(CONNECTIONS);
    }

    void register(CommandRegistry registry) {
        SqlHandlers.over(pool).runningMax(CONNECTIONS - 1).cursorsMax(1).register(registry);
    }

    @Override
    public void close() {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("shutdown");
        } catch (SQLException e) {
            System.getLogger("dev.treadle.cli").log(System.Logger.Level.DEBUG, "the database did not close", e);
        }
        pool.dispose();
    }
}

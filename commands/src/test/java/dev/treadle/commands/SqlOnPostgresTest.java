// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs where PostgreSQL is installed; it starts a server of its own. */
class SqlOnPostgresTest extends SqlContract {
    private static PostgresServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = PostgresServer.startOrSkip();
    }

    @AfterAll
    static void stopServer() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @Override
    String url() {
        return server.url();
    }

    @Override
    String endless() {
        return "select pg_sleep(600)";
    }

    @Override
    String endlessNumber() {
        return "select 1 from pg_sleep(600)";
    }

    @Override
    String bytesType() {
        return "bytea";
    }

    /**
     * A request that comes before its statement is lost on the server, and the driver does not send a second one: the
     * statement would run on, whatever became of its connection. Here the first request is lost as it asks for another
     * statement; the second must stop the one that runs.
     */
    @Test
    void whenTheFirstRequestToCancelIsLost_thenTheSecondStopsTheStatement() throws Exception {
        var pooled = new HikariConfig();
        pooled.setJdbcUrl(server.url());
        try (var pool = new HikariDataSource(pooled);
                Connection connection = pool.getConnection();
                Statement other = connection.createStatement();
                Statement sleeps = connection.createStatement()) {
            var state = new CompletableFuture<String>();
            new Thread(() -> {
                        try {
                            state.complete("ran to its end: " + sleeps.execute(endless()));
                        } catch (SQLException e) {
                            state.complete(e.getSQLState());
                        }
                    })
                    .start();
            Soon.until(() -> running() == 1);
            var cancel = new SqlCancel(connection, other);
            cancel.ask();
            assertThat(running()).as("the first one was lost").isEqualTo(1);
            cancel.ask();

            assertThat(state.get(30, TimeUnit.SECONDS)).isEqualTo("57014");
        }
    }

    /** Cancels at all moments of the start of a statement. */
    @Test
    void aStatementIsStoppedInTheServerWheneverTheCancelComes() {
        try (Scheduler scheduler =
                LoneCommand.scheduler(registry -> SqlHandlers.over(source()).register(registry))) {
            for (int i = 0; i < 20; i++) {
                ProcessRef process = LoneCommand.start(scheduler, SqlQuery.of(endless()));
                Soon.until(() -> process.inspect().orElseThrow().yieldsInFlight() == 1);
                LockSupport.parkNanos(i * 1_000_000L); // to connect takes some milliseconds
                scheduler.cancel(process.pid(), "enough");

                assertThat(LoneCommand.error(process, CancellationException.class))
                        .isNotNull();
                Soon.until("nothing runs in the server", () -> running() == 0);
            }
        }
    }

    @AfterEach
    void nothingRunsInTheServer() {
        Soon.until("nothing runs in the server", () -> running() == 0);
    }

    private static PGSimpleDataSource source() {
        var source = new PGSimpleDataSource();
        source.setUrl(server.url());
        return source;
    }

    private static long running() throws SQLException {
        try (Connection connection = source().getConnection();
                ResultSet count = connection
                        .createStatement()
                        .executeQuery("select count(*) from pg_stat_activity where state = 'active'"
                                + " and backend_type = 'client backend' and pid <> pg_backend_pid()")) {
            count.next();
            return count.getLong(1);
        }
    }
}

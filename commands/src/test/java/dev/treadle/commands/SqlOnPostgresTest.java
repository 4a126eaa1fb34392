// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

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
    String bytesType() {
        return "bytea";
    }
}

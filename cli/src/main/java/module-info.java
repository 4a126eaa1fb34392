// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** The {@code treadle} command. */
module dev.treadle.cli {
    requires com.h2database;
    requires dev.treadle.commands;
    requires dev.treadle.core;
    requires dev.treadle.node;
    requires dev.treadle.observe;
    requires dev.treadle.simulation;
    requires info.picocli;
    requires java.logging;
    requires java.net.http;
    requires java.sql;
    requires jdk.httpserver;
    requires org.snakeyaml.engine;
    requires static org.jspecify;
    requires tools.jackson.databind;

    opens dev.treadle.cli to
            info.picocli;
    opens dev.treadle.cli.demo to
            info.picocli;
    opens dev.treadle.cli.run to
            info.picocli;
    opens dev.treadle.cli.simulate to
            info.picocli;
    opens dev.treadle.cli.soak to
            info.picocli;
    opens dev.treadle.cli.top to
            info.picocli;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** Ready handlers for what processes want from the world: HTTP, SQL, programs, files. */
module dev.treadle.commands {
    requires transitive dev.treadle.core;
    requires transitive java.net.http;
    requires transitive java.sql;
    requires static org.jspecify;

    exports dev.treadle.commands;
}

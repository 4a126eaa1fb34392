// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** Small programs that show how the runtime is used. */
module dev.treadle.examples {
    requires dev.treadle.commands;
    requires dev.treadle.core;
    requires dev.treadle.node;
    requires jdk.httpserver;
    requires static org.jspecify;
}

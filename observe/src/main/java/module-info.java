// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** Shows what a node is doing: a live dashboard, metrics, flight recorder events, traces. */
module dev.treadle.observe {
    requires static org.jspecify;
    requires static io.opentelemetry.api;
    requires static io.opentelemetry.context;
    requires static micrometer.core;
    requires java.management;
    requires jdk.httpserver;
    requires jdk.jfr;
    requires transitive dev.treadle.core;
    requires transitive dev.treadle.node;

    exports dev.treadle.observe;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** Several schedulers as one node: links, monitors, supervisors, names, groups. */
module dev.treadle.node {
    requires static org.jspecify;
    requires transitive dev.treadle.core;

    exports dev.treadle.node;
}

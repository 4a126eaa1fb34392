// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/** One scheduler for small message-driven processes: nothing but the JDK underneath. */
module dev.treadle.core {
    requires static org.jspecify;

    exports dev.treadle;
    exports dev.treadle.command;
    exports dev.treadle.relay;
}

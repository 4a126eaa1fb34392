// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.util.List;

/** Tells which platform threads are alive; virtual ones end with their call anyway. */
final class TestThreads {
    private TestThreads() {}

    static List<Thread> named(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix) && thread.isAlive())
                .toList();
    }
}

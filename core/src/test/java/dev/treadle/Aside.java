// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Runs what blocks on a thread of its own. The common pool has one thread on two processors: two that wait there hang. */
final class Aside {
    private Aside() {}

    static <T> CompletableFuture<T> run(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> new Thread(run).start());
    }
}

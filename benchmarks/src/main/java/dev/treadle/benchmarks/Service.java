// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * What processes call in command-sync: it has its answer at once. Its methods are not inlined ({@link #FLAGS}), because a
 * service is other people's code. Otherwise the compiler sees that a future is made and read in one place, and leaves
 * out both.
 */
public final class Service {
    /** The flags that keep the compiler from looking inside. */
    public static final List<String> FLAGS =
            List.of("-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline," + Service.class.getName() + "::*");

    private Service() {}

    /** Returns the answer itself. */
    public static <T> T call(T answer) {
        return answer;
    }

    /** Returns a future that has its answer. */
    public static <T> CompletableFuture<T> answer(T answer) {
        return CompletableFuture.completedFuture(answer);
    }

    /** Lets the task, which answers, run on the calling thread: an {@link Executor} for those who need one. */
    public static void execute(Runnable task) {
        task.run();
    }
}

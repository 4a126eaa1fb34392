// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vt;

import dev.treadle.benchmarks.Service;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Sleeps;
import dev.treadle.benchmarks.Tally;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/** Turns without messages: command-sync, command-async, yield-many, timers. */
final class Turns {
    private static final Integer ANSWER = 1;

    private Turns() {}

    static void commandSync(ThreadFactory threads, int commands) throws InterruptedException {
        commands(threads, commands, () -> Service.answer(ANSWER));
    }

    static void commandAsync(ThreadFactory threads, int commands, Executor answerer) throws InterruptedException {
        commands(threads, commands, () -> CompletableFuture.supplyAsync(() -> ANSWER, answerer));
    }

    private static void commands(ThreadFactory threads, int commands, Supplier<CompletableFuture<Integer>> service)
            throws InterruptedException {
        int each = Shape.share(commands, Shape.COMMANDERS);
        var tally = new Tally(Shape.COMMANDERS);
        for (int i = 0; i < Shape.COMMANDERS; i++) {
            VtPeer.start(threads, () -> {
                int answers = 0;
                for (int n = 0; n < each; n++) {
                    answers += service.get().join();
                }
                tally.done(answers);
            });
        }
        tally.check("answers", commands);
    }

    static void yieldMany(ThreadFactory threads, int turns) throws InterruptedException {
        int each = Shape.share(turns, Shape.YIELDERS);
        var tally = new Tally(Shape.YIELDERS);
        for (int i = 0; i < Shape.YIELDERS; i++) {
            VtPeer.start(threads, () -> {
                int turn = 1;
                for (; turn < each; turn++) {
                    Thread.yield();
                }
                tally.done(turn);
            });
        }
        tally.check("turns", turns);
    }

    static void timers(ThreadFactory threads, int count, Sleeps sleeps) {
        for (int i = 0; i < count; i++) {
            int id = i;
            VtPeer.start(threads, () -> {
                try {
                    Thread.sleep(sleeps.start(id));
                } catch (InterruptedException nobodyDoes) {
                    throw new IllegalStateException(nobodyDoes);
                }
                sleeps.end(id);
            });
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vertx;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A Vert.x with a context on each of its event loops. */
final class EventLoops implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final Vertx vertx;
    private final Context[] contexts;

    EventLoops(int count) throws Exception {
        vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(count).setBlockedThreadCheckInterval(3_600_000));
        Set<Context> found = ConcurrentHashMap.newKeySet();
        vertx.deployVerticle(
                        () -> new AbstractVerticle() {
                            @Override
                            public void start() {
                                found.add(context);
                            }
                        },
                        new DeploymentOptions().setInstances(count))
                .toCompletionStage()
                .toCompletableFuture()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        contexts = found.toArray(new Context[0]);
    }

    Vertx vertx() {
        return vertx;
    }

    /** Returns the context of a process, by its number: in turn. */
    Context of(int process) {
        return contexts[process % contexts.length];
    }

    /** Returns the context of one of a row of so many processes: neighbours share one. */
    Context block(int process, int count) {
        return contexts[(int) ((long) process * contexts.length / count)];
    }

    @Override
    public void close() {
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}

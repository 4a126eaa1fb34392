// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that blocking handlers of a scheduler run on: virtual ones where the JVM has them, else platform threads
 * that are kept for a while. How many there are is bounded by the limits of the handlers.
 */
final class BlockingThreads implements Executor {
    private static final long KEEP_SECONDS = 10;
    private static final @Nullable Method OF_VIRTUAL = findOfVirtual();

    private final ExecutorService pool;

    BlockingThreads(String name) {
        pool = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, KEEP_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory(name));
    }

    /** Since Java 21; the byte code is for 17, so it is looked up. */
    private static @Nullable Method findOfVirtual() {
        try {
            return Thread.class.getMethod("ofVirtual");
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static ThreadFactory factory(String name) {
        if (OF_VIRTUAL != null) {
            try {
                Object builder = OF_VIRTUAL.invoke(null);
                Class<?> type = Class.forName("java.lang.Thread$Builder");
                builder = type.getMethod("name", String.class, long.class).invoke(builder, name + "-blocking-", 0L);
                builder = type.getMethod("inheritInheritableThreadLocals", boolean.class)
                        .invoke(builder, false);
                return (ThreadFactory) type.getMethod("factory").invoke(builder);
            } catch (ReflectiveOperationException | RuntimeException e) {
                System.getLogger("dev.treadle")
                        .log(
                                System.Logger.Level.DEBUG,
                                "no virtual threads, blocking handlers use platform threads",
                                e);
            }
        }
        return new NamedThreads(name + "-blocking-");
    }

    @Override
    public void execute(Runnable call) {
        pool.execute(call);
    }

    /** Interrupts all calls, takes no more, and waits a little for their threads to end. */
    void close(Duration timeout) {
        pool.shutdownNow();
        try {
            pool.awaitTermination(Math.max(1, timeout.toNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

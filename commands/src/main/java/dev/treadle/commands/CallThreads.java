// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Makes the threads that blocking calls run on: virtual ones where the JVM has them, else daemon threads. */
final class CallThreads implements ThreadFactory {
    private static final @Nullable Method OF_VIRTUAL = findOfVirtual();

    private final String prefix;
    private final @Nullable ThreadFactory virtual;
    private final AtomicLong number = new AtomicLong();

    CallThreads(String name) {
        prefix = "treadle-" + name + "-";
        virtual = virtualThreads(prefix);
    }

    /** Since Java 21; the byte code is for 17, so it is looked up. */
    private static @Nullable Method findOfVirtual() {
        try {
            return Thread.class.getMethod("ofVirtual");
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static @Nullable ThreadFactory virtualThreads(String prefix) {
        if (OF_VIRTUAL == null) {
            return null;
        }
        try {
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object builder = OF_VIRTUAL.invoke(null);
            builder = type.getMethod("name", String.class, long.class).invoke(builder, prefix, 0L);
            builder = type.getMethod("inheritInheritableThreadLocals", boolean.class)
                    .invoke(builder, false);
            return (ThreadFactory) type.getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null; // Java 19 and 20, where they are a preview
        }
    }

    @Override
    public Thread newThread(Runnable task) {
        if (virtual != null) {
            return virtual.newThread(task);
        }
        var thread = new Thread(null, task, prefix + number.getAndIncrement(), 0, false);
        thread.setDaemon(true);
        return thread;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that blocking handlers of a scheduler run on: virtual ones where the JVM has them, else platform threads
 * that are kept for a while. How many there are is bounded by the limits of the handlers, but for what calls do afterwards
 * and beside them.
 */
final class BlockingThreads implements Executor {
    /*
     * At a shutdown calls are told to stop, each in its own way, and waited for: an interrupt would reach a driver in the
     * middle of its work, and some embedded databases take harm from one. So each call, and each task beside one, is known
     * from before it has a thread to after its end. What else runs here, callbacks of requests from outside, is interrupted
     * and not waited for.
     */
    private static final long KEEP_SECONDS = 10;
    private static final @Nullable Method OF_VIRTUAL = findOfVirtual();

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ExecutorService pool;
    private final Set<Occupant> occupants = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

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

    /** Any thread: something will run on these threads that a shutdown waits for. */
    void enter(Occupant occupant) {
        occupants.add(occupant);
    }

    /** Whoever has entered, before it begins: whether it must not, since those that run are told to stop. */
    boolean isClosing() {
        return closing;
    }

    /** Any thread: it has ended, or was not begun. */
    void leave(Occupant occupant) {
        occupants.remove(occupant);
    }

    /**
     * The one who shuts down, when no process is left: tells all calls to stop, waits for them, and takes no more.
     *
     * @param nanos how long to wait for the calls
     * @param endNanos how long to wait then for threads that have nothing more to do
     * @return the calls that did not stop
     */
    List<ShutdownReport.Stuck> close(long nanos, long endNanos) {
        long start = System.nanoTime();
        closing = true; // before the look at who is there: who enters after that look sees it
        occupants.forEach(BlockingThreads::stop);
        while (!occupants.isEmpty() && System.nanoTime() - start < nanos && canWait()) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        List<ShutdownReport.Stuck> stuck = stuck();
        if (occupants.isEmpty()) {
            pool.shutdownNow();
        } else {
            pool.shutdown();
        }
        try {
            pool.awaitTermination(endNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return stuck;
    }

    private static void stop(Occupant occupant) {
        try {
            occupant.stop();
        } catch (Throwable thrown) {
            // It was told before, when its process ended, and what it threw then was reported.
        }
    }

    /** Not if somebody interrupts the one who shuts down, nor if a call does so itself. */
    private boolean canWait() {
        Thread current = Thread.currentThread();
        return !current.isInterrupted() && occupants.stream().noneMatch(occupant -> occupant.thread() == current);
    }

    private List<ShutdownReport.Stuck> stuck() {
        var stuck = new ArrayList<ShutdownReport.Stuck>();
        for (Occupant occupant : occupants) {
            Thread thread = occupant.thread();
            if (thread != null) {
                stuck.add(new ShutdownReport.Stuck(occupant.pid(), thread.getName(), List.of(thread.getStackTrace())));
            }
        }
        return stuck;
    }

    /** What runs on one of these threads, and is waited for by a shutdown. */
    interface Occupant {
        /** For which process. */
        Pid pid();

        /** On which thread, or null if it has not begun or has ended. */
        @Nullable
        Thread thread();

        /** Any thread: tells it to end. */
        void stop();
    }
}

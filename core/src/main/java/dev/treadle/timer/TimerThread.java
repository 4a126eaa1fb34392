// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that drives a wheel in real time.
 *
 * <p>The thread is made when the first timer is started, sleeps until the next one is due, and uses no processor time
 * while there is nothing to do. On an idle machine a timer fires at most one tick of the wheel late, plus the time the
 * operating system takes to wake a thread. All nodes fire on this thread, one after the other: {@link TimerNode#fire}
 * must be quick.
 */
public final class TimerThread {
    private final TimerWheel wheel;
    private final LongSupplier nanoClock;
    private final ThreadFactory threadFactory;

    /** Held while the thread is made, so that there is one, and none after close. The factory must not start timers. */
    private final ReentrantLock lifeCycle = new ReentrantLock();

    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    /**
     * Creates a driver; no thread runs yet.
     *
     * @param wheel the wheel to drive, made with a time of the same clock
     * @param nanoClock the clock, which runs at the speed of {@link System#nanoTime()}
     * @param threadFactory makes the thread
     */
    public TimerThread(TimerWheel wheel, LongSupplier nanoClock, ThreadFactory threadFactory) {
        this.wheel = Objects.requireNonNull(wheel, "wheel");
        this.nanoClock = Objects.requireNonNull(nanoClock, "nanoClock");
        this.threadFactory = Objects.requireNonNull(threadFactory, "threadFactory");
    }

    /**
     * Any thread. Starts a node; {@link TimerNode#fire} runs on the timer thread once the deadline has passed.
     *
     * @param node an idle node
     * @param deadlineNanos when it is due, in the time of the clock
     * @return false if this driver is closed: the node stays idle
     * @throws IllegalStateException if the node is started already, or the thread factory returned none
     */
    public boolean start(TimerNode node, long deadlineNanos) {
        if (thread == null && !startThread()) {
            return false;
        }
        return switch (wheel.tryStart(node, deadlineNanos)) {
            case STARTED -> true;
            case STARTED_WAKE_DRIVER -> {
                LockSupport.unpark(thread);
                yield true;
            }
            case REFUSED -> false;
        };
    }

    /** Any thread. Cancels a node; see {@link TimerWheel#cancel}. */
    public boolean cancel(TimerNode node) {
        return wheel.cancel(node);
    }

    /**
     * Any thread. Drops all timers, refuses further ones, interrupts the thread and waits for it to end. A timer that is
     * firing at this moment may still be running if this returns false.
     *
     * @param timeout how long to wait for a timer that is firing; none if this is called by that very timer
     * @return true if the thread has ended, or never ran
     */
    public boolean close(Duration timeout) {
        lifeCycle.lock();
        try {
            closed = true;
        } finally {
            lifeCycle.unlock();
        }
        wheel.close();
        Thread thread = this.thread;
        if (thread == null) {
            return true;
        }
        thread.interrupt();
        if (thread != Thread.currentThread()) {
            join(thread, timeout);
        }
        return !thread.isAlive();
    }

    private static void join(Thread thread, Duration timeout) {
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, TimeUnit.NANOSECONDS.convert(timeout));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean startThread() {
        lifeCycle.lock();
        try {
            if (closed) {
                return false;
            }
            if (thread == null) {
                Thread created = threadFactory.newThread(this::run);
                if (created == null) {
                    throw new IllegalStateException("threadFactory " + threadFactory
                            + " returned null, must return a thread: raise its limit, timers need one thread");
                }
                created.start();
                thread = created;
            }
            return true;
        } finally {
            lifeCycle.unlock();
        }
    }

    /**
     * The timer thread. Sleeps by the protocol of {@link TimerWheel}; an interrupt, by close() or by a node that left
     * one behind, ends the sleep and is cleared, as a thread that is interrupted cannot park.
     */
    private void run() {
        while (!closed) {
            advance();
            long wakeNanos = wheel.announceSleep();
            if (closed) {
                return;
            }
            if (wakeNanos == TimerWheel.NEVER) {
                LockSupport.park(wheel);
            } else {
                long sleepNanos = wakeNanos - nanoClock.getAsLong();
                if (sleepNanos > 0) {
                    LockSupport.parkNanos(wheel, sleepNanos);
                }
            }
            Thread.interrupted();
        }
    }

    /** Fires what is due. If the failure handler of the wheel fails as well, that is reported and the thread goes on. */
    private void advance() {
        try {
            wheel.advance(nanoClock.getAsLong());
        } catch (Throwable failure) {
            Thread self = Thread.currentThread();
            try {
                self.getUncaughtExceptionHandler().uncaughtException(self, failure);
            } catch (Throwable ignored) {
                // The last resort has failed, too. To end this thread would stop all timers.
            }
        }
    }

    @Override
    public String toString() {
        Thread thread = this.thread;
        return "TimerThread[" + (closed ? "closed" : thread == null ? "not started" : thread.getName()) + ", " + wheel
                + "]";
    }
}

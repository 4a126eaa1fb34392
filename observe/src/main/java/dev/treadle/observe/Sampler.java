// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Takes a {@link Sample} every second and keeps those of the last two minutes, so that who opens the page sees what was
 * before. A thread of its own.
 */
final class Sampler implements Runnable, AutoCloseable {
    static final int KEPT_MAX = 121;

    private static final System.Logger LOG = System.getLogger("dev.treadle.observe");

    private final Subject subject;
    private final Duration interval;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition newer = lock.newCondition();

    // Under the lock. The newest sample is the first.
    private final ArrayDeque<Sample> samples = new ArrayDeque<>(KEPT_MAX);
    private long taken;
    private boolean closed;

    Sampler(Subject subject, Duration interval) {
        this.subject = subject;
        this.interval = interval;
        this.thread = new Thread(this, "treadle-observe-sampler");
        thread.setDaemon(true);
    }

    void start() {
        tick(); // so that there is one before anybody asks
        thread.start();
    }

    @Override
    public void run() {
        try {
            while (awaitInterval()) {
                tickOrSay();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // not by us: somebody wants this thread to end
        }
    }

    /** Whatever goes wrong once, the next sample may be right. */
    private void tickOrSay() {
        try {
            tick();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "no sample could be taken", e);
        }
    }

    /** Returns false if it is over. */
    private boolean awaitInterval() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long leftNanos = interval.toNanos();
            while (!closed && leftNanos > 0) {
                leftNanos = newer.awaitNanos(leftNanos);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a sample now. */
    void tick() {
        Sample sample = Sample.of(subject);
        lock.lock();
        try {
            if (samples.size() == KEPT_MAX) {
                samples.removeLast();
            }
            samples.addFirst(sample);
            taken++;
            newer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what is known now. */
    History history() {
        lock.lock();
        try {
            return new History(taken, new ArrayDeque<>(samples));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a sample that is newer than so many; null if there is none in that time, or no more.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    @Nullable
    History awaitNewer(long seen, Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long leftNanos = timeout.toNanos();
            while (taken <= seen && !closed && leftNanos > 0) {
                leftNanos = newer.awaitNanos(leftNanos);
            }
            return taken > seen && !closed ? new History(taken, new ArrayDeque<>(samples)) : null;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            newer.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The samples of the last two minutes.
     *
     * @param taken how many were taken in all
     * @param samples the newest first; never empty
     */
    record History(long taken, ArrayDeque<Sample> samples) {
        Sample latest() {
            return samples.getFirst();
        }

        /** Returns the sample before the latest; the latest itself if there is no other. */
        Sample before() {
            Iterator<Sample> each = samples.iterator();
            Sample latest = each.next();
            return each.hasNext() ? each.next() : latest;
        }

        /** Returns the newest sample that is at least so old; the oldest if there is none. */
        Sample ago(Duration age) {
            for (Sample sample : samples) {
                if (latest().nanos() - sample.nanos() >= age.toNanos()) {
                    return sample;
                }
            }
            return samples.getLast();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A figure that is dear to find out: kept for a while, the longer the more it cost. Any thread; one finds it out while the
 * others wait for the same answer.
 *
 * @param <T> what it is
 */
final class Paced<T> {
    /*
     * Whoever looks must not slow down those who work. After a look that took so long on a processor, nobody looks again for
     * RATIO times as long, so each kind of look takes at most a hundredth of one processor. How long it took by the clock does
     * not count: a machine that is busy with something else would make figures old for no reason.
     */
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int RATIO = 100;
    private static final long AGE_NANOS_MIN = Duration.ofMillis(900).toNanos();
    private static final long AGE_NANOS_MAX = Duration.ofSeconds(30).toNanos();

    private final Supplier<T> look;
    private @Nullable Known<T> known;

    Paced(Supplier<T> look) {
        this.look = look;
    }

    /**
     * What is known.
     *
     * @param tookNanos how long it took to find out, on a processor
     * @param atNanos when that was
     */
    record Known<T>(T value, long tookNanos, long atNanos) {
        /** Returns for how long it is good. */
        Duration lifetime() {
            return Duration.ofNanos(Math.max(AGE_NANOS_MIN, Math.min(AGE_NANOS_MAX, tookNanos * RATIO)));
        }

        Duration age() {
            return Duration.ofNanos(System.nanoTime() - atNanos);
        }

        boolean isStale() {
            return age().compareTo(lifetime()) >= 0;
        }
    }

    synchronized Known<T> get() {
        Known<T> known = this.known;
        if (known == null || known.isStale()) {
            long start = processorNanos();
            T value = look.get();
            known = new Known<>(value, processorNanos() - start, System.nanoTime());
            this.known = known;
        }
        return known;
    }

    private static long processorNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}

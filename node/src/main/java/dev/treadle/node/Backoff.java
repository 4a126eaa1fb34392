// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * How long a supervisor waits before it starts a child again: longer each time that the child ends soon after its start, and
 * from the beginning again once it has run for a while. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10)) // 100 ms, 200 ms, 400 ms, ... 10 s, 10 s
 *         .jitter(0.2) // each up to a fifth shorter, so that many do not come back at once
 *         .resetAfter(Duration.ofMinutes(1));
 * }</pre>
 */
public final class Backoff {
    private static final double FACTOR_DEFAULT = 2;
    private static final double JITTER_DEFAULT = 0.1;
    private static final Backoff NONE = new Backoff(Duration.ZERO, Duration.ZERO, 1, 0, Duration.ZERO);

    private final Duration first;
    private final Duration cap;
    private final double factor;
    private final double jitter;
    private final Duration resetAfter;

    private Backoff(Duration first, Duration cap, double factor, double jitter, Duration resetAfter) {
        this.first = first;
        this.cap = cap;
        this.factor = factor;
        this.jitter = jitter;
        this.resetAfter = resetAfter;
    }

    /** Returns one that does not wait. */
    public static Backoff none() {
        return NONE;
    }

    /**
     * Returns one that doubles, with a tenth of jitter, and begins anew after a child has run for as long as the cap.
     *
     * @param first the first wait
     * @param cap the longest wait
     * @throws IllegalArgumentException if the first is not positive, or the cap is shorter
     */
    public static Backoff exponential(Duration first, Duration cap) {
        Objects.requireNonNull(first, "first is null: give the first wait, or use Backoff.none()");
        Objects.requireNonNull(cap, "cap is null: give the longest wait");
        if (first.isNegative() || first.isZero()) {
            throw new IllegalArgumentException(
                    "first was " + first + ", must be positive: give the first wait, or use Backoff.none()");
        }
        if (cap.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "cap was " + cap + ", must be at least the first wait of " + first + ": raise it");
        }
        return new Backoff(first, cap, FACTOR_DEFAULT, JITTER_DEFAULT, cap);
    }

    /** Sets how many times longer each wait is than the one before; at least 1. */
    public Backoff factor(double factor) {
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException("factor was " + factor + ", must be at least 1: use 2 to double");
        }
        return new Backoff(first, cap, factor, jitter, resetAfter);
    }

    /** Sets by which part a wait may be shorter, at random; from 0 for none to 1. It is never longer than without. */
    public Backoff jitter(double jitter) {
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException(
                    "jitter was " + jitter + ", must be from 0 to 1: use 0.1 for up to a tenth");
        }
        return new Backoff(first, cap, factor, jitter, resetAfter);
    }

    /** Sets how long a child must have run for its next wait to be the first again; positive. */
    public Backoff resetAfter(Duration stable) {
        Objects.requireNonNull(stable, "stable is null: give how long a child must have run");
        if (stable.isNegative() || stable.isZero()) {
            throw new IllegalArgumentException(
                    "resetAfter was " + stable + ", must be positive: with less, no wait would ever grow");
        }
        return new Backoff(first, cap, factor, jitter, stable);
    }

    /** How long to wait after so many quick failures in a row before this one. */
    long delayNanos(int failuresBefore, RandomGenerator random) {
        double full = Math.min((double) cap.toNanos(), first.toNanos() * Math.pow(factor, failuresBefore));
        return (long) (jitter == 0 ? full : full * (1 - jitter * random.nextDouble()));
    }

    boolean isStable(long ranNanos) {
        return ranNanos >= resetAfter.toNanos();
    }

    @Override
    public String toString() {
        return this == NONE
                ? "Backoff[none]"
                : "Backoff[" + first + " to " + cap + ", factor " + factor + ", jitter " + jitter + ", reset after "
                        + resetAfter + "]";
    }
}

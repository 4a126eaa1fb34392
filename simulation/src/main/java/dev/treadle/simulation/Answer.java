// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link StandIn} answers, when, and how often it fails. Immutable.
 *
 * <pre>{@code
 * Answer.of("200 OK").between(Duration.ofMillis(1), Duration.ofMillis(80)).failing(0.02, () -> new IOException("reset"))
 * }</pre>
 */
public final class Answer {
    private final @Nullable Object data;
    private final @Nullable Throwable error;
    private final boolean never;
    private final Duration least;
    private final Duration most;
    private final double failureRate;
    private final @Nullable Supplier<? extends Throwable> failure;

    private Answer(
            @Nullable Object data,
            @Nullable Throwable error,
            boolean never,
            Duration least,
            Duration most,
            double failureRate,
            @Nullable Supplier<? extends Throwable> failure) {
        this.data = data;
        this.error = error;
        this.never = never;
        this.least = least;
        this.most = most;
        this.failureRate = failureRate;
        this.failure = failure;
    }

    /** Answers with a result, or null. */
    public static Answer of(@Nullable Object data) {
        return new Answer(data, null, false, Duration.ZERO, Duration.ZERO, 0, null);
    }

    /** Answers with an error. */
    public static Answer failed(Throwable error) {
        Objects.requireNonNull(error, "error is null: say why it failed, or use of()");
        return new Answer(null, error, false, Duration.ZERO, Duration.ZERO, 0, null);
    }

    /** Does not answer at all: a process that gave no timeout waits for ever. */
    public static Answer never() {
        return new Answer(null, null, true, Duration.ZERO, Duration.ZERO, 0, null);
    }

    /** Takes so long, in virtual time. */
    public Answer after(Duration latency) {
        return between(latency, latency);
    }

    /**
     * Takes between so long and so long, in virtual time. Half of the times are in the shortest quarter, as it is with real
     * services: most answers are quick and some are not.
     *
     * @throws IllegalArgumentException if a time is negative, or the least is more than the most
     */
    public Answer between(Duration least, Duration most) {
        Objects.requireNonNull(least, "least is null: use Duration.ZERO");
        Objects.requireNonNull(most, "most is null: use after() for one latency");
        if (least.isNegative() || least.compareTo(most) > 0) {
            throw new IllegalArgumentException("latency was between " + least + " and " + most
                    + ", must be from zero up: give the shorter time first");
        }
        return new Answer(data, error, never, least, most, failureRate, failure);
    }

    /**
     * Fails instead, at a rate.
     *
     * @param rate how often, from 0 to 1
     * @param failure makes the error
     */
    public Answer failing(double rate, Supplier<? extends Throwable> failure) {
        Objects.requireNonNull(failure, "failure is null: give what makes the error");
        return new Answer(data, error, never, least, most, Faults.checkRate("failing", rate), failure);
    }

    @Nullable
    Object data() {
        return data;
    }

    @Nullable
    Throwable error() {
        return error;
    }

    boolean isNever() {
        return never;
    }

    /** Decides how long it takes; the plain decision is the least. */
    long latencyNanos(Choices choices) {
        long span = most.minus(least).toNanos();
        return least.toNanos() + Delays.choose(choices, Choices.Kind.DELAY, span);
    }

    /** Decides whether it fails instead, and with what. */
    @Nullable
    Throwable failure(Choices choices) {
        return failure != null && choices.rarely(Choices.Kind.COMMAND, failureRate, 2) == 1 ? failure.get() : null;
    }
}

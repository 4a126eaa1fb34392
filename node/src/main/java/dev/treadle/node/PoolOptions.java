// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import java.time.Duration;
import java.util.Objects;

/**
 * The settings of a {@link Pool}. Immutable: each method returns a changed copy.
 *
 * @param routing how a worker is picked
 * @param workers how many workers there are at the start
 * @param workersMax how many there may be
 * @param waitingMax how many messages may wait for each worker
 * @param growAt a worker is added when so many wait for the one that was picked
 * @param restarts how many workers may end abnormally within {@code restartsWithin}, before the pool gives up
 * @param restartsWithin see {@code restarts}
 */
public record PoolOptions(
        Routing routing,
        int workers,
        int workersMax,
        int waitingMax,
        int growAt,
        int restarts,
        Duration restartsWithin) {
    private static final int WAITING_DEFAULT = 1_000;
    private static final int RESTARTS_DEFAULT = 10;

    /** How a worker is picked. */
    public enum Routing {
        /** One after the other. */
        ROUND_ROBIN,
        /** The one with the least to do. Looks at all of them each time. */
        LEAST_LOADED,
        /** Always the same one for a key. */
        BY_KEY
    }

    /** Checks that all values are possible. */
    public PoolOptions {
        Objects.requireNonNull(routing, "routing is null: choose one");
        atLeastOne("workers", workers);
        atLeastOne("waitingMax", waitingMax);
        atLeastOne("growAt", growAt);
        if (workersMax < workers) {
            throw new IllegalArgumentException("workersMax was " + workersMax + ", must be at least the " + workers
                    + " workers at the start: raise it, or leave it out");
        }
        if (restarts < 0) {
            throw new IllegalArgumentException("restarts was " + restarts + ", must not be negative: use 0 for none");
        }
        if (restartsWithin.isNegative() || restartsWithin.isZero()) {
            throw new IllegalArgumentException(
                    "restartsWithin was " + restartsWithin + ", must be positive: use some seconds");
        }
    }

    private static void atLeastOne(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " was " + value + ", must be at least 1: raise it");
        }
    }

    private static PoolOptions of(Routing routing, int workers) {
        return new PoolOptions(
                routing,
                workers,
                workers,
                WAITING_DEFAULT,
                WAITING_DEFAULT / 2,
                RESTARTS_DEFAULT,
                Duration.ofSeconds(RESTARTS_DEFAULT));
    }

    /** So many workers, one after the other. */
    public static PoolOptions roundRobin(int workers) {
        return of(Routing.ROUND_ROBIN, workers);
    }

    /** So many workers, the one with the least to do first. */
    public static PoolOptions leastLoaded(int workers) {
        return of(Routing.LEAST_LOADED, workers);
    }

    /** So many workers, always the same one for a key. */
    public static PoolOptions byKey(int workers) {
        return of(Routing.BY_KEY, workers);
    }

    /** Sets how many messages may wait for each worker; a worker is added, if it may, when half as many do. */
    public PoolOptions waitingMax(int messages) {
        int growAt = Math.max(1, messages / 2);
        return new PoolOptions(routing, workers, workersMax, messages, growAt, restarts, restartsWithin);
    }

    /** Lets the pool grow to so many workers. With {@link Routing#BY_KEY} some keys then move to the new one. */
    public PoolOptions growTo(int workersMax) {
        return new PoolOptions(routing, workers, workersMax, waitingMax, growAt, restarts, restartsWithin);
    }

    /** Sets how many workers may end abnormally in a time, before the pool gives up and ends. */
    public PoolOptions restarts(int restarts, Duration within) {
        Objects.requireNonNull(within, "within is null: say in which time");
        return new PoolOptions(routing, workers, workersMax, waitingMax, growAt, restarts, within);
    }
}

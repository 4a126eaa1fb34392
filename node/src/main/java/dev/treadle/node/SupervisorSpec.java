// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a {@link Supervisor} looks after, and how. Immutable: each method returns a changed copy.
 *
 * <pre>{@code
 * SupervisorSpec shop = SupervisorSpec.oneForOne()
 *         .intensity(3, Duration.ofSeconds(10))
 *         .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10)))
 *         .child(ChildSpec.of("orders", Spawn.of(OrderBook::new)))
 *         .child(ChildSpec.supervisor("users", SupervisorSpec.oneForAll()...));
 * node.spawn(shop.spawn().name("shop"));
 * }</pre>
 */
public final class SupervisorSpec {
    /** How many restarts are allowed in {@link #PERIOD_DEFAULT}, if nothing is set. */
    public static final int INTENSITY_DEFAULT = 1;

    /** In which time so many restarts are allowed, if nothing is set. */
    public static final Duration PERIOD_DEFAULT = Duration.ofSeconds(5);

    private final SupervisorStrategy strategy;
    private final int intensity;
    private final Duration period;
    private final Backoff backoff;
    private final List<ChildSpec> children;

    private SupervisorSpec(
            SupervisorStrategy strategy, int intensity, Duration period, Backoff backoff, List<ChildSpec> children) {
        this.strategy = strategy;
        this.intensity = intensity;
        this.period = period;
        this.backoff = backoff;
        this.children = children;
    }

    /** Returns one with a strategy: one restart in five seconds, no backoff, no children. */
    public static SupervisorSpec of(SupervisorStrategy strategy) {
        Objects.requireNonNull(strategy, "strategy is null: use SupervisorStrategy.ONE_FOR_ONE");
        return new SupervisorSpec(strategy, INTENSITY_DEFAULT, PERIOD_DEFAULT, Backoff.none(), List.of());
    }

    /** Returns one that restarts only the child that ended. */
    public static SupervisorSpec oneForOne() {
        return of(SupervisorStrategy.ONE_FOR_ONE);
    }

    /** Returns one that restarts all children when one has ended. */
    public static SupervisorSpec oneForAll() {
        return of(SupervisorStrategy.ONE_FOR_ALL);
    }

    /** Returns one that restarts the child that ended, and those that were started after it. */
    public static SupervisorSpec restForOne() {
        return of(SupervisorStrategy.REST_FOR_ONE);
    }

    /**
     * Sets how many restarts are allowed in a time. One more, and the supervisor stops its children and fails: what it does
     * is no use, and its own supervisor decides.
     *
     * @param restarts how many; 0 for none
     * @param period in which time
     */
    public SupervisorSpec intensity(int restarts, Duration period) {
        Objects.requireNonNull(period, "period is null: give a time, such as Duration.ofSeconds(5)");
        if (restarts < 0) {
            throw new IllegalArgumentException(
                    "restarts was " + restarts + ", must not be negative: use 0 to allow none");
        }
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("period was " + period + ", must be positive: use five seconds, say");
        }
        return new SupervisorSpec(strategy, restarts, period, backoff, children);
    }

    /** Sets how long to wait before a child is started again, for those that do not say it themselves. */
    public SupervisorSpec backoff(Backoff backoff) {
        Objects.requireNonNull(backoff, "backoff is null: use Backoff.none()");
        return new SupervisorSpec(strategy, intensity, period, backoff, children);
    }

    /**
     * Adds a child, after those that are there.
     *
     * @throws IllegalArgumentException if there is one with its id
     */
    public SupervisorSpec child(ChildSpec child) {
        Objects.requireNonNull(child, "child is null: use ChildSpec.of(...)");
        for (ChildSpec other : children) {
            if (other.id().equals(child.id())) {
                throw new IllegalArgumentException(
                        "child \"" + child.id() + "\" was added twice, must be added once to a supervisor: rename one");
            }
        }
        var more = new ArrayList<>(children);
        more.add(child);
        return new SupervisorSpec(strategy, intensity, period, backoff, List.copyOf(more));
    }

    /** Adds a permanent child that has five seconds to end. */
    public SupervisorSpec child(String id, Spawn spawn) {
        return child(ChildSpec.of(id, spawn));
    }

    /** Returns what starts such a supervisor. It starts its children in its first step. */
    public Spawn spawn() {
        return Spawn.of(() -> Supervisor.of(this));
    }

    /** Returns who else is started again. */
    public SupervisorStrategy strategy() {
        return strategy;
    }

    /** Returns how many restarts are allowed in the period. */
    public int intensity() {
        return intensity;
    }

    /** Returns in which time so many restarts are allowed. */
    public Duration period() {
        return period;
    }

    /** Returns its children, in the order in which they are started. */
    public List<ChildSpec> children() {
        return children;
    }

    Backoff backoff() {
        return backoff;
    }

    @Override
    public String toString() {
        return "SupervisorSpec[" + strategy + ", " + intensity + " restarts in " + period + ", " + children + "]";
    }
}

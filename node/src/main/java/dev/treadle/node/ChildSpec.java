// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A child of a supervisor: how it is started, when it is started again, how it is stopped. Immutable: each method returns a
 * changed copy.
 *
 * <pre>{@code
 * ChildSpec.of("orders", Spawn.of(OrderBook::new).name("orders"))
 *         .restart(Restart.TRANSIENT)
 *         .shutdown(Duration.ofSeconds(2));
 * }</pre>
 *
 * <p>The spawn is used again for each restart: its supplier must make a new process each time.
 */
public final class ChildSpec {
    /** How long a child may take to end, if nothing is set. */
    public static final Duration SHUTDOWN_DEFAULT = Duration.ofSeconds(5);

    private static final Duration BRUTAL = Duration.ZERO;

    private final String id;
    private final Spawn spawn;
    private final Restart restart;
    private final @Nullable Duration shutdown;
    private final @Nullable Backoff backoff;
    private final boolean isSupervisor;
    private final int wave;

    private ChildSpec(
            String id,
            Spawn spawn,
            Restart restart,
            @Nullable Duration shutdown,
            @Nullable Backoff backoff,
            boolean isSupervisor,
            int wave) {
        this.id = id;
        this.spawn = spawn;
        this.restart = restart;
        this.shutdown = shutdown;
        this.backoff = backoff;
        this.isSupervisor = isSupervisor;
        this.wave = wave;
    }

    /**
     * Returns a child that is permanent, and has five seconds to end.
     *
     * @param id what tells it from the other children of its supervisor
     * @param spawn how it is started
     * @throws IllegalArgumentException if the id is blank, or the spawn names who monitors it: that is the supervisor
     */
    public static ChildSpec of(String id, Spawn spawn) {
        checkId(id);
        Objects.requireNonNull(spawn, () -> "spawn of child \"" + id + "\" is null: use Spawn.of(...)");
        if (spawn.monitoredBy() != null) {
            throw new IllegalArgumentException("child \"" + id + "\" is monitored by " + spawn.monitoredBy()
                    + ", must be by its supervisor: leave monitoredBy out, and monitor it once it runs");
        }
        return new ChildSpec(id, spawn, Restart.PERMANENT, SHUTDOWN_DEFAULT, null, false, -1);
    }

    /**
     * Returns a child that is a supervisor: permanent, with all the time that it needs to stop its own children. It counts as
     * started when all of its children are.
     */
    public static ChildSpec supervisor(String id, SupervisorSpec spec) {
        checkId(id);
        Objects.requireNonNull(spec, () -> "spec of child \"" + id + "\" is null: use SupervisorSpec.oneForOne()");
        return new ChildSpec(id, spec.spawn(), Restart.PERMANENT, null, null, true, -1);
    }

    static String checkId(String id) {
        Objects.requireNonNull(id, "id is null: give the child a name of its own, such as \"orders\"");
        if (id.isBlank()) {
            throw new IllegalArgumentException(
                    "id was \"" + id + "\", must not be blank: give the child a name of its own, such as \"orders\"");
        }
        return id;
    }

    /** Starts it on this host. By default where its spawn says, or on the host of its supervisor. */
    public ChildSpec on(String host) {
        return new ChildSpec(id, spawn.on(host), restart, shutdown, backoff, isSupervisor, wave);
    }

    /** Sets whether it is started again when it ends by itself. */
    public ChildSpec restart(Restart restart) {
        Objects.requireNonNull(restart, "restart is null: use Restart.PERMANENT");
        return new ChildSpec(id, spawn, restart, shutdown, backoff, isSupervisor, wave);
    }

    /** Sets how long it may take to end after it was asked to; after that it is terminated. */
    public ChildSpec shutdown(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout is null: use shutdownUnlimited()");
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("shutdown of child \"" + id + "\" was " + timeout
                    + ", must be positive: use shutdownBrutal() to terminate it at once");
        }
        return new ChildSpec(id, spawn, restart, timeout, backoff, isSupervisor, wave);
    }

    /** Terminates it at once, without asking it to end. */
    public ChildSpec shutdownBrutal() {
        return new ChildSpec(id, spawn, restart, BRUTAL, backoff, isSupervisor, wave);
    }

    /** Gives it all the time that it needs to end. One that never does keeps its supervisor from ending. */
    public ChildSpec shutdownUnlimited() {
        return new ChildSpec(id, spawn, restart, null, backoff, isSupervisor, wave);
    }

    /** Sets how long to wait before it is started again. By default what its supervisor says. */
    public ChildSpec backoff(Backoff backoff) {
        Objects.requireNonNull(backoff, "backoff is null: use Backoff.none()");
        return new ChildSpec(id, spawn, restart, shutdown, backoff, isSupervisor, wave);
    }

    /** Started at once with the children before and after it that have the same number, and not one after the other. */
    ChildSpec wave(int wave) {
        return new ChildSpec(id, spawn, restart, shutdown, backoff, isSupervisor, wave);
    }

    /** Returns what tells it from the other children of its supervisor. */
    public String id() {
        return id;
    }

    /** Returns whether it is started again when it ends by itself. */
    public Restart restart() {
        return restart;
    }

    Spawn spawn() {
        return spawn;
    }

    /** How long it may take to end; null for as long as it likes. */
    @Nullable
    Duration shutdown() {
        return shutdown;
    }

    boolean isBrutal() {
        return BRUTAL.equals(shutdown);
    }

    Backoff backoffOr(Backoff ofSupervisor) {
        return backoff == null ? ofSupervisor : backoff;
    }

    boolean isSupervisor() {
        return isSupervisor;
    }

    /** The number of its wave, or -1 if it is started on its own. */
    int wave() {
        return wave;
    }

    @Override
    public String toString() {
        return "ChildSpec[" + id + ", " + restart + (isSupervisor ? ", supervisor" : "") + "]";
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.StepOutput;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A process that starts others, its children, and starts them again when they end: by the rules of Erlang/OTP, of which
 * docs/guide/supervision.md has a table.
 *
 * <pre>{@code
 * Spawned shop = node.spawn(SupervisorSpec.oneForOne()
 *         .child("orders", Spawn.of(OrderBook::new))
 *         .spawn());
 * System.out.println(node.tree());
 * }</pre>
 *
 * <p>Its children are started in order, in its first step, and stopped in the reverse order when it is asked to end. However
 * it ends, no child outlives it. If it has to restart too often it stops its children and fails with a {@link
 * RestartIntensityException}; if it is a child itself, its own supervisor decides what then. To change its children while it
 * runs, use {@link SupervisorRef} or {@link SupervisorCommands}.
 */
public final class Supervisor implements Process {
    private final SupervisorSpec spec;
    private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
    private @Nullable SupervisorLife life;

    private Supervisor(SupervisorSpec spec) {
        this.spec = spec;
    }

    /** Returns a supervisor that has not been started. One object is one life: make a new one for each spawn. */
    public static Supervisor of(SupervisorSpec spec) {
        return new Supervisor(Objects.requireNonNull(spec, "spec is null: use SupervisorSpec.oneForOne()"));
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        var life = new SupervisorLife(spec, started, context);
        this.life = life;
        NodeContext.of(context).node().supervisors().add(context.self(), life);
    }

    @Override
    public void step(Events events, StepOutput out) {
        Objects.requireNonNull(life, "stepped before its init").step(events, out);
    }

    @Override
    public void close() {
        if (life != null) { // null if init has failed
            life.close();
        }
    }

    /** Any thread: complete when all children have been started, or the supervisor has ended before that. */
    CompletableFuture<@Nullable Void> started() {
        return started;
    }

    @Override
    public String toString() {
        return "Supervisor[" + spec + "]";
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessContext;
import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a process of a node may use, besides its {@link ProcessContext}: all of it in its own name.
 *
 * <pre>{@code
 * public void init(ProcessContext context, String method, Payloads input) {
 *     node = NodeContext.of(context);
 * }
 *
 * public void step(Events events, StepOutput out) {
 *     if (events.isEmpty()) { // the first step
 *         node.register("lobby");
 *         node.trapExits(true);
 *     }
 * }
 * }</pre>
 *
 * <p>Nobody can see a process before its {@code init} has returned, so it cannot register, join, link or watch there: do that
 * in the first step, or give it to the {@link Spawn}.
 */
public final class NodeContext {
    private final ProcessContext context;
    private final Node node;

    private NodeContext(ProcessContext context, Node node) {
        this.context = context;
        this.node = node;
    }

    /**
     * Returns that of a process.
     *
     * @throws IllegalArgumentException if its scheduler is no host of a node
     */
    public static NodeContext of(ProcessContext context) {
        Objects.requireNonNull(context, "context is null: give what init got");
        return new NodeContext(context, context.service(Node.class));
    }

    /** Returns the node. */
    public Node node() {
        return node;
    }

    /** Starts a process as a child of this one, on this one's host unless the spawn says otherwise. */
    public Spawned spawn(Spawn spawn) {
        return node.spawner().spawn(Objects.requireNonNull(spawn, "spawn is null: use Spawn.of(...)"), context);
    }

    /** Starts a process as a child of this one, linked to it. */
    public Spawned spawnLinked(Spawn spawn) {
        return spawn(spawn.linkedTo(context.self()));
    }

    /** Starts a process as a child of this one, watched by it. */
    public Spawned spawnMonitored(Spawn spawn) {
        return spawn(spawn.monitoredBy(context.self()));
    }

    /** Watches a process: see {@link Node#monitor}. */
    public Monitor monitor(Pid target) {
        return node.monitor(context.self(), target);
    }

    /** Watches a process no longer: see {@link Node#demonitor}. */
    public void demonitor(Monitor monitor) {
        node.demonitor(monitor);
    }

    /**
     * Links this process to another: see {@link Node#link}.
     *
     * @throws NotAllowedException if the rights of this process do not allow to cancel there, since a link can end the other
     */
    public void link(Pid other) {
        node.rights().check(context.carried(), Permission.CANCEL, other.host());
        node.link(context.self(), other);
    }

    /** Undoes a link. */
    public void unlink(Pid other) {
        node.unlink(context.self(), other);
    }

    /** Sets whether this process is told of linked ones that end abnormally, instead of ending with them. */
    public void trapExits(boolean traps) {
        node.trapExits(context.self(), traps);
    }

    /** Gives this process a name: see {@link Names#register}. */
    public Optional<Pid> register(String name) {
        return node.names().register(name, context.self());
    }

    /** Lets this process join a group. */
    public void join(String group) {
        node.groups().join(group, context.self());
    }

    /** Lets this process leave a group. */
    public void leave(String group) {
        node.groups().leave(group, context.self());
    }

    /** Sends a message to the process that has a name. */
    public Delivery send(String name, String topic, @Nullable Object payload) {
        Optional<Pid> pid = node.names().find(name);
        return pid.isEmpty() ? Delivery.NO_SUCH_PROCESS : context.send(pid.get(), topic, payload);
    }

    /** Sends a message to all members of a group. Returns to how many it was delivered. */
    public int broadcast(String group, String topic, @Nullable Object payload) {
        int delivered = 0;
        for (Pid member : node.groups().members(group)) {
            delivered += context.send(member, topic, payload).isDelivered() ? 1 : 0;
        }
        return delivered;
    }

    /**
     * Asks a process to end.
     *
     * @throws NotAllowedException if the rights of this process do not allow it
     */
    public Delivery cancel(Pid pid, String reason) {
        node.rights().check(context.carried(), Permission.CANCEL, pid.host());
        return node.cancel(pid, reason);
    }

    /**
     * Asks a process to end, and ends it by force after the deadline.
     *
     * @throws NotAllowedException if the rights of this process do not allow it
     */
    public Delivery cancel(Pid pid, String reason, Duration deadline) {
        node.rights().check(context.carried(), Permission.CANCEL, pid.host());
        return node.cancel(pid, reason, deadline);
    }

    /**
     * Ends a process at its next step boundary.
     *
     * @throws NotAllowedException if the rights of this process do not allow it
     */
    public Delivery terminate(Pid pid, String reason) {
        node.rights().check(context.carried(), Permission.CANCEL, pid.host());
        return node.terminate(pid, reason);
    }
}

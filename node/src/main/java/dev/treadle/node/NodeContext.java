// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessContext;
import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
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
 *     if (events.isFirst()) {
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

    /** Null if the context stands between the process and its node. */
    private final @Nullable Node node;

    private final @Nullable NodeCalls calls;

    private NodeContext(ProcessContext context, @Nullable Node node, @Nullable NodeCalls calls) {
        this.context = context;
        this.node = node;
        this.calls = calls;
    }

    /**
     * Returns that of a process.
     *
     * @throws IllegalArgumentException if its scheduler is no host of a node
     */
    public static NodeContext of(ProcessContext context) {
        Objects.requireNonNull(context, "context is null: give what init got");
        return context instanceof NodeCalls calls
                ? new NodeContext(context, null, calls)
                : new NodeContext(context, context.service(Node.class), null);
    }

    /** Returns the node. */
    public Node node() {
        return node != null ? node : context.service(Node.class);
    }

    /** Starts a process as a child of this one, on this one's host unless the spawn says otherwise. */
    public Spawned spawn(Spawn spawn) {
        Objects.requireNonNull(spawn, "spawn is null: use Spawn.of(...)");
        NodeCalls calls = this.calls;
        if (calls == null) {
            return node().spawner().spawn(spawn, context);
        }
        return calls.call(
                "spawn",
                spawn.described(),
                () -> node().spawner().spawn(spawn, context),
                NodeContext::plain,
                plain -> spawned(calls, spawn, (List<?>) plain));
    }

    private static Object plain(Spawned spawned) {
        Monitor monitor = spawned.monitor();
        return Arrays.asList(spawned.pid(), spawned.isNew(), monitor == null ? null : monitor.ref());
    }

    private static Spawned spawned(NodeCalls calls, Spawn spawn, List<?> plain) {
        Pid pid = (Pid) plain.get(0);
        Pid watcher = spawn.monitoredBy();
        Monitor monitor =
                watcher == null || plain.get(2) == null ? null : new Monitor((Long) plain.get(2), watcher, pid);
        return new Spawned(calls.ref(pid), (Boolean) plain.get(1), monitor);
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
        if (calls == null) {
            return node().monitor(context.self(), target);
        }
        return calls.call(
                "monitor",
                Arrays.asList(target),
                () -> node().monitor(context.self(), target),
                Monitor::ref,
                plain -> new Monitor((Long) plain, context.self(), target));
    }

    /** Watches a process no longer: see {@link Node#demonitor}. */
    public void demonitor(Monitor monitor) {
        Objects.requireNonNull(monitor, "monitor is null: give what monitor() returned");
        run("demonitor", Arrays.asList(monitor.ref()), () -> node().demonitor(monitor));
    }

    /**
     * Links this process to another: see {@link Node#link}.
     *
     * @throws NotAllowedException if the rights of this process do not allow to cancel there, since a link can end the other
     */
    public void link(Pid other) {
        run("link", Arrays.asList(other), () -> {
            node().rights().check(context.carried(), Permission.CANCEL, other.host());
            node().link(context.self(), other);
        });
    }

    /** Undoes a link. */
    public void unlink(Pid other) {
        run("unlink", Arrays.asList(other), () -> node().unlink(context.self(), other));
    }

    /** Sets whether this process is told of linked ones that end abnormally, instead of ending with them. */
    public void trapExits(boolean traps) {
        run("trapExits", Arrays.asList(traps), () -> node().trapExits(context.self(), traps));
    }

    /** Gives this process a name: see {@link Names#register}. */
    public Optional<Pid> register(String name) {
        return plainly("register", Arrays.asList(name), () -> node().names().register(name, context.self()));
    }

    /** Lets this process join a group. */
    public void join(String group) {
        run("join", Arrays.asList(group), () -> node().groups().join(group, context.self()));
    }

    /** Lets this process leave a group. */
    public void leave(String group) {
        run("leave", Arrays.asList(group), () -> node().groups().leave(group, context.self()));
    }

    /** Sends a message to the process that has a name. */
    public Delivery send(String name, String topic, @Nullable Object payload) {
        return plainly("send", Arrays.asList(name, topic, payload), () -> {
            Optional<Pid> pid = node().names().find(name);
            return pid.isEmpty() ? Delivery.NO_SUCH_PROCESS : context.send(pid.get(), topic, payload);
        });
    }

    /** Sends a message to all members of a group. Returns to how many it was delivered. */
    public int broadcast(String group, String topic, @Nullable Object payload) {
        return plainly("broadcast", Arrays.asList(group, topic, payload), () -> {
            int delivered = 0;
            for (Pid member : node().groups().members(group)) {
                delivered += context.send(member, topic, payload).isDelivered() ? 1 : 0;
            }
            return delivered;
        });
    }

    /**
     * Asks a process to end.
     *
     * @throws NotAllowedException if the rights of this process do not allow it
     */
    public Delivery cancel(Pid pid, String reason) {
        return plainly("cancel", Arrays.asList(pid, reason), () -> {
            node().rights().check(context.carried(), Permission.CANCEL, pid.host());
            return node().cancel(pid, reason);
        });
    }

    /**
     * Asks a process to end, and ends it by force after the deadline.
     *
     * @throws NotAllowedException if the rights of this process do not allow it
     */
    public Delivery cancel(Pid pid, String reason, Duration deadline) {
        return plainly("cancel", Arrays.asList(pid, reason, deadline), () -> {
            node().rights().check(context.carried(), Permission.CANCEL, pid.host());
            return node().cancel(pid, reason, deadline);
        });
    }

    /**
     * Ends a process at its next step boundary.
     *
     * @throws NotAllowedException if the rights of this process do not allow it
     */
    public Delivery terminate(Pid pid, String reason) {
        return plainly("terminate", Arrays.asList(pid, reason), () -> {
            node().rights().check(context.carried(), Permission.CANCEL, pid.host());
            return node().terminate(pid, reason);
        });
    }

    private void run(String method, List<?> arguments, Runnable call) {
        if (calls == null) {
            call.run();
        } else {
            calls.call(
                    method,
                    arguments,
                    () -> {
                        call.run();
                        return true;
                    },
                    done -> done,
                    plain -> true);
        }
    }

    /** A call whose result is plain as it is. */
    private <T> T plainly(String method, List<?> arguments, Supplier<T> call) {
        if (calls == null) {
            return call.get();
        }
        @SuppressWarnings("unchecked") // what a call gave is what it gives again
        Function<Object, T> same = plain -> (T) plain;
        return calls.call(method, arguments, call, result -> result, same);
    }
}

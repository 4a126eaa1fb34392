// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.SchedulerBuilder;
import dev.treadle.ShutdownReport;
import dev.treadle.Signal;
import dev.treadle.relay.Delivery;
import dev.treadle.relay.Envelope;
import dev.treadle.relay.Receiver;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several schedulers, its hosts, as one: processes find each other by name and in groups, watch each other and end
 * together, across hosts.
 *
 * <pre>{@code
 * try (Node node = Node.builder().name("shop").host("users", h -> h.workers(2)).host("system").start()) {
 *     Spawned book = node.spawn(Spawn.of(OrderBook::new).on("users").name("orders"));
 *     node.names().send("orders", "buy", 3);
 * }
 * }</pre>
 *
 * <p>A process gets at its node with {@link NodeContext#of}. Safe for use by many threads.
 */
public final class Node implements Receiver, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.treadle.node");
    private static final Duration SHUTDOWN_DEFAULT = Duration.ofSeconds(10);

    private final String name;
    private final Map<String, Host> hosts = new LinkedHashMap<>();
    private final Definitions definitions;
    private final Consumer<SchedulerBuilder> settings;
    private final RightsCheck rights;
    private final Router router;
    private final boolean stepped;
    private final Names names = new Names(this);
    private final Groups groups = new Groups(this);
    private final Lifecycle lifecycle = new Lifecycle(this);
    private final Spawner spawner = new Spawner(this);
    private final Supervisors supervisors = new Supervisors();
    private final Upgrades upgrades = new Upgrades(this);
    private final ServiceRoot services;
    private volatile boolean closed;

    Node(
            String name,
            Map<String, HostBuilder> hosts,
            Definitions definitions,
            Consumer<SchedulerBuilder> settings,
            boolean rightsRequired,
            List<ServiceSpec> services,
            Duration serviceStartTimeout,
            boolean stepped) {
        this.services = new ServiceRoot(this, services, serviceStartTimeout);
        this.name = name;
        this.definitions = definitions;
        this.settings = settings;
        this.rights = new RightsCheck(rightsRequired);
        this.router = new Router(this, this.hosts, rights);
        this.stepped = stepped;
        hosts.forEach((host, builder) -> this.hosts.put(host, new Host(this, host, builder)));
        if (!rightsRequired) {
            LOG.log(
                    level(Level.INFO),
                    "node \"{0}\": all is allowed to processes that carry no rights; requireRights() denies it",
                    name);
        }
    }

    void start() {
        try {
            hosts.values().forEach(Host::start);
            services.start();
        } catch (RuntimeException e) {
            shutdown(Duration.ZERO);
            throw e;
        }
    }

    /** Returns a builder with the defaults set. */
    public static NodeBuilder builder() {
        return new NodeBuilder();
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Returns its hosts, in the order in which they were added. */
    public List<Host> hosts() {
        return List.copyOf(hosts.values());
    }

    /**
     * Returns a host.
     *
     * @throws IllegalArgumentException if there is none of that name; the message lists those that are
     */
    public Host host(String name) {
        Host host = hosts.get(Objects.requireNonNull(name, "name is null: give the name of a host"));
        if (host == null) {
            throw new IllegalArgumentException("host \"" + name + "\" is not one of node \"" + this.name
                    + "\", which has " + hosts.keySet() + ": add it to the node's builder");
        }
        return host;
    }

    /** Returns the names of processes. */
    public Names names() {
        return names;
    }

    /** Returns the groups of processes. */
    public Groups groups() {
        return groups;
    }

    /** Returns the kinds of processes that can be spawned by name. */
    public Definitions definitions() {
        return definitions;
    }

    /** Returns the supervisors and their children, at a moment. */
    public SupervisionTree tree() {
        return supervisors.tree(name);
    }

    // Processes.

    /**
     * Starts a process. Its {@code init} runs here, on the calling thread.
     *
     * @throws dev.treadle.SubmissionRefusedException if its host is stopping or full, or it may not be started there
     * @throws IllegalArgumentException if host or definition are not known
     */
    public Spawned spawn(Spawn spawn) {
        return spawner.spawn(Objects.requireNonNull(spawn, "spawn is null: use Spawn.of(...)"), null);
    }

    Spawner spawner() {
        return spawner;
    }

    /** Returns a process, or nothing if it is not alive on this node. */
    public Optional<ProcessRef> find(Pid pid) {
        Scheduler scheduler = schedulerOf(pid);
        return scheduler == null ? Optional.empty() : scheduler.find(local(pid));
    }

    /** Returns the names, groups, links and monitors of a process: none if it is not alive on this node. */
    public ProcessRelations relations(Pid pid) {
        var found = new ProcessRelations[] {ProcessRelations.NONE};
        changeIfPresent(pid, relations -> found[0] = ProcessRelations.of(relations));
        return found[0];
    }

    /** Sends a message from outside. Never blocks. */
    public Delivery send(Pid target, String topic, @Nullable Object payload) {
        return send(Envelope.to(target, topic, payload));
    }

    /** Asks a process to end: see {@link Scheduler#cancel(Pid, String)}. */
    public Delivery cancel(Pid pid, String reason) {
        Scheduler scheduler = schedulerOf(pid);
        return scheduler == null ? Delivery.NO_SUCH_PROCESS : scheduler.cancel(local(pid), reason);
    }

    /** Asks a process to end, and ends it by force after the deadline. */
    public Delivery cancel(Pid pid, String reason, Duration deadline) {
        Scheduler scheduler = schedulerOf(pid);
        return scheduler == null ? Delivery.NO_SUCH_PROCESS : scheduler.cancel(local(pid), reason, deadline);
    }

    /** Ends a process at its next step boundary: see {@link Scheduler#terminate(Pid, String)}. */
    public Delivery terminate(Pid pid, String reason) {
        Scheduler scheduler = schedulerOf(pid);
        return scheduler == null ? Delivery.NO_SUCH_PROCESS : scheduler.terminate(local(pid), reason);
    }

    /**
     * Upgrades all processes that were started by a definition: each is replaced by a new instance at its next step
     * boundary, and keeps its address, mailbox, names and relations. One that is {@link Upgradable} hands over its state;
     * one that fails ends, and its supervisor decides. A supervisor is not upgraded: the new one would start its children
     * while those of the old one still run.
     *
     * @param definition its name, such as "orders:book"; {@link #definitions define} it anew before
     * @return how many were told
     * @throws IllegalArgumentException if there is no such definition, or one of its processes is a supervisor; then none was
     *     told
     */
    public int upgrade(String definition) {
        return upgrades.upgrade(definition);
    }

    Upgrades upgrades() {
        return upgrades;
    }

    // Links and monitors.

    /**
     * Lets a process watch another one: it gets one signal when that one ends, at once if it is not alive.
     *
     * @param watcher who is told
     * @param target who is watched
     */
    public Monitor monitor(Pid watcher, Pid target) {
        return lifecycle.monitor(
                local(Objects.requireNonNull(watcher, "watcher is null: give the Pid of who is told")),
                local(Objects.requireNonNull(target, "target is null: give the Pid of who is watched")));
    }

    /** Ends a monitor. No step gets its signal any more, not even one that waits in the mailbox. */
    public void demonitor(Monitor monitor) {
        lifecycle.demonitor(monitor);
    }

    /** Links two processes: if one ends abnormally the other ends too, or is told if it traps. */
    public void link(Pid a, Pid b) {
        lifecycle.link(
                local(Objects.requireNonNull(a, "a is null: give the Pid of one process")),
                local(Objects.requireNonNull(b, "b is null: give the Pid of the other process")));
    }

    /** Undoes a link. */
    public void unlink(Pid a, Pid b) {
        lifecycle.unlink(local(a), local(b));
    }

    /**
     * Sets whether a process is told of the abnormal end of those it is linked to, with a signal of kind {@link
     * Signal.Kind#LINK_DOWN}, instead of ending with them.
     *
     * @return whether the process is alive
     */
    public boolean trapExits(Pid pid, boolean traps) {
        return lifecycle.trapExits(local(pid), traps);
    }

    // Routing.

    /**
     * Attaches a receiver for all addresses with a host name that is none of this node's hosts.
     *
     * @throws IllegalArgumentException if the name is taken
     */
    public void attach(String host, Receiver receiver) {
        router.attach(Objects.requireNonNull(host, "host is null: give the name that addresses have"), receiver);
    }

    /** Takes a receiver away that was attached for a host name. */
    public void detach(String host) {
        router.detach(Objects.requireNonNull(host, "host is null: give the name that it was attached for"));
    }

    /**
     * Attaches a receiver for all addresses that name another node, <code>{node@host|id}</code>.
     *
     * @throws IllegalArgumentException if it is the name of this node, or has a receiver already
     */
    public void attachNode(String node, Receiver receiver) {
        router.attachNode(Objects.requireNonNull(node, "node is null: give the name of the other node"), receiver);
    }

    /** Takes a receiver away that was attached for a node. */
    public void detachNode(String node) {
        router.detachNode(Objects.requireNonNull(node, "node is null: give the name of the other node"));
    }

    /**
     * Delivers a message, or passes it on. This is what the hosts use to send to each other. What is refused, and what is for
     * a host or a node that nobody knows, is a dead letter of the sender's host.
     */
    @Override
    public Delivery send(Envelope envelope) {
        return router.send(Objects.requireNonNull(envelope, "envelope is null: use Envelope.to(pid, topic, payload)"));
    }

    /** An address that names this node means a process here, and is the same without the name. */
    Pid local(Pid pid) {
        return router.local(pid);
    }

    private @Nullable Host hostOf(Pid pid) {
        return router.hostOf(pid);
    }

    @Nullable
    Scheduler schedulerOf(Pid pid) {
        Host host = hostOf(pid);
        return host == null ? null : host.schedulerOrNull();
    }

    // For the parts of the node.

    boolean change(Pid pid, Consumer<Relations> change) {
        Host host = hostOf(pid);
        return host != null && host.relations().change(pid, change);
    }

    void changeIfPresent(Pid pid, Consumer<Relations> change) {
        Host host = hostOf(pid);
        if (host != null) {
            host.relations().changeIfPresent(pid, change);
        }
    }

    /** Whether a process is alive, or is being started. */
    boolean isPresent(Pid pid) {
        Host host = hostOf(pid);
        return host != null && (host.isAlive(pid) || host.relations().isStarting(pid) || host.isAlive(pid));
    }

    boolean traps(Pid pid) {
        Host host = hostOf(pid);
        return host != null && host.relations().traps(pid);
    }

    void signal(Pid pid, Signal signal) {
        Scheduler scheduler = schedulerOf(pid);
        if (scheduler != null) {
            scheduler.signal(pid, signal);
        }
    }

    ServiceRoot services() {
        return services;
    }

    Lifecycle lifecycle() {
        return lifecycle;
    }

    Supervisors supervisors() {
        return supervisors;
    }

    boolean isClosed() {
        return closed;
    }

    RightsCheck rights() {
        return rights;
    }

    Consumer<SchedulerBuilder> settings() {
        return settings;
    }

    boolean isStepped() {
        return stepped;
    }

    /** How loud to be: whoever steps a node by hand sees what happens, and does so for thousands of nodes. */
    Level level(Level wanted) {
        return stepped ? Level.DEBUG : wanted;
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("node \"" + name + "\" has been shut down: build another");
        }
    }

    // The end.

    /**
     * Stops the services in reverse order, and then shuts down all hosts, the last one first.
     *
     * @param timeout how long the services may take, and the processes of each host
     * @return the report of each host that ran, by name
     */
    public synchronized Map<String, ShutdownReport> shutdown(Duration timeout) {
        closed = true;
        services.stop(timeout);
        var reports = new LinkedHashMap<String, ShutdownReport>();
        var reversed = new ArrayList<>(hosts.values());
        Collections.reverse(reversed);
        for (Host host : reversed) {
            ShutdownReport report = host.stopIfRunning(timeout);
            if (report != null) {
                reports.put(host.name(), report);
            }
        }
        return reports;
    }

    /** Shuts down with ten seconds for the processes of each host. */
    @Override
    public void close() {
        shutdown(SHUTDOWN_DEFAULT);
    }

    @Override
    public String toString() {
        return "Node[" + name + ", " + hosts.values() + "]";
    }
}

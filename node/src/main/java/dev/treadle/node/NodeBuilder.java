// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Process;
import dev.treadle.SchedulerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Collects the settings of a {@link Node}. */
public final class NodeBuilder {
    private String name = "node";
    private final Map<String, HostBuilder> hosts = new LinkedHashMap<>();
    private final Definitions definitions = new Definitions();
    private Consumer<SchedulerBuilder> settings = builder -> {};
    private final List<ServiceSpec> services = new ArrayList<>();
    private Duration serviceStartTimeout = Duration.ofMinutes(1);
    private boolean rightsRequired;

    NodeBuilder() {}

    /** Names the node. */
    public NodeBuilder name(String name) {
        this.name = Objects.requireNonNull(name, "name is null: leave it unset to use \"node\"");
        return this;
    }

    /** Adds a host with the default settings. */
    public NodeBuilder host(String name) {
        return host(name, host -> {});
    }

    /**
     * Adds a host.
     *
     * @param name its name: the host in the addresses of its processes
     * @param settings sets it up
     * @throws IllegalArgumentException if there is one of that name already
     */
    public NodeBuilder host(String name, Consumer<HostBuilder> settings) {
        Objects.requireNonNull(name, "name is null: give the host a name");
        var host = new HostBuilder();
        settings.accept(host);
        if (hosts.putIfAbsent(name, host) != null) {
            throw new IllegalArgumentException("host \"" + name + "\" was added twice, must be added once: rename one");
        }
        return this;
    }

    /** Defines a kind of process by name: see {@link Spawn#definition}. */
    public NodeBuilder define(String name, Supplier<? extends Process> process) {
        definitions.define(name, process);
        return this;
    }

    /** Sets something for the schedulers of all hosts: a clock, a seed, a listener, a binding. */
    public NodeBuilder schedulers(Consumer<SchedulerBuilder> setting) {
        Consumer<SchedulerBuilder> before = settings;
        settings = before.andThen(Objects.requireNonNull(setting, "setting is null: give what to set"));
        return this;
    }

    /**
     * Adds a service: it is started with the node, after those that it requires and together with those that it does not, and
     * stopped in the reverse order before the hosts stop. All are under one supervisor at the top, on the first host.
     */
    public NodeBuilder service(ServiceSpec service) {
        services.add(Objects.requireNonNull(service, "service is null: use ServiceSpec.of(...)"));
        return this;
    }

    /** Sets how long all services may take to start; by default one minute. */
    public NodeBuilder serviceStartTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout is null: leave it unset to use one minute");
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    "serviceStartTimeout was " + timeout + ", must be positive: leave it unset to use one minute");
        }
        serviceStartTimeout = timeout;
        return this;
    }

    /** Denies everything to processes that carry no {@link Rights}. By default they may do all, and the log says so. */
    public NodeBuilder requireRights() {
        rightsRequired = true;
        return this;
    }

    /**
     * Starts the node, its hosts and its services; one host, "main", if none was added.
     *
     * @throws IllegalArgumentException if a setting is invalid
     * @throws SupervisorStartException if a service did not start; the node has been shut down then
     */
    public Node start() {
        return build(false);
    }

    /** Makes a node without threads, for tests and simulations that decide themselves what happens next. */
    public SteppedNode stepped() {
        return new SteppedNode(build(true));
    }

    private Node build(boolean stepped) {
        if (hosts.isEmpty()) {
            hosts.put("main", new HostBuilder());
        }
        var node = new Node(name, hosts, definitions, settings, rightsRequired, services, serviceStartTimeout, stepped);
        node.start();
        return node;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Process;
import dev.treadle.SchedulerBuilder;
import java.util.LinkedHashMap;
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

    /** Denies everything to processes that carry no {@link Rights}. By default they may do all, and the log says so. */
    public NodeBuilder requireRights() {
        rightsRequired = true;
        return this;
    }

    /**
     * Starts the node and its hosts; one host, "main", if none was added.
     *
     * @throws IllegalArgumentException if a setting is invalid
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
        var node = new Node(name, hosts, definitions, settings, rightsRequired, stepped);
        node.start();
        return node;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Pid;
import dev.treadle.ProcessInfo;
import dev.treadle.Scheduler;
import dev.treadle.node.Host;
import dev.treadle.node.Node;
import dev.treadle.relay.Delivery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is looked at: a node with its hosts, or one scheduler. Any thread. */
final class Subject {
    private final @Nullable Node node;
    private final @Nullable Scheduler single;

    private Subject(@Nullable Node node, @Nullable Scheduler single) {
        this.node = node;
        this.single = single;
    }

    static Subject of(Node node) {
        return new Subject(node, null);
    }

    static Subject of(Scheduler scheduler) {
        return new Subject(null, scheduler);
    }

    String name() {
        return node != null ? node.name() : single != null ? single.name() : "";
    }

    /** Returns the node, or null if one scheduler is looked at. */
    @Nullable
    Node node() {
        return node;
    }

    /** Returns the names of all hosts, whether they run or not. */
    List<String> hostNames() {
        return node == null
                ? List.of(name())
                : node.hosts().stream().map(Host::name).toList();
    }

    /** Returns the schedulers that run, by the names of their hosts. A host may stop at any time. */
    Map<String, Scheduler> schedulers() {
        var running = new LinkedHashMap<String, Scheduler>();
        if (single != null) {
            running.put(single.name(), single);
        }
        if (node != null) {
            for (Host host : node.hosts()) {
                try {
                    running.put(host.name(), host.scheduler());
                } catch (IllegalStateException e) {
                    // it does not run now
                }
            }
        }
        return running;
    }

    private @Nullable Scheduler schedulerOf(Pid pid) {
        boolean here = pid.node() == null || (node != null && pid.node().equals(node.name()));
        return here ? schedulers().get(pid.host()) : null;
    }

    Optional<ProcessInfo> inspect(Pid pid) {
        Scheduler scheduler = schedulerOf(pid);
        return scheduler == null ? Optional.empty() : scheduler.inspect(local(pid));
    }

    Delivery cancel(Pid pid, String reason) {
        Scheduler scheduler = schedulerOf(pid);
        return scheduler == null ? Delivery.NO_SUCH_PROCESS : scheduler.cancel(local(pid), reason);
    }

    Delivery terminate(Pid pid, String reason) {
        Scheduler scheduler = schedulerOf(pid);
        return scheduler == null ? Delivery.NO_SUCH_PROCESS : scheduler.terminate(local(pid), reason);
    }

    private static Pid local(Pid pid) {
        return pid.node() == null ? pid : Pid.of(pid.host(), pid.id());
    }
}

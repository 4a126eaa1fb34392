// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Submission;
import dev.treadle.SubmissionRefusedException;
import org.jspecify.annotations.Nullable;

/** Starts processes on the hosts of a node, with their name, link and monitor in place before their first step. */
final class Spawner {
    /*
     * A process that others must know gets an address of the node's choice. Its relations are entered under it, then it is
     * started. If that fails they are taken out again.
     *
     * The name is taken when init has returned, just before the process can be seen (Host.Ends.onStart). So a name never
     * stands for a process that does not come, and no spawn waits for another one's init. When two start the same name at
     * once both run init, and one of them is closed without ever having been seen.
     */
    private final Node node;

    Spawner(Node node) {
        this.node = node;
    }

    Spawned spawn(Spawn spawn, @Nullable ProcessContext spawner) {
        Host host = hostOf(spawn, spawner);
        while (true) {
            ProcessRef holder = holderOf(spawn.name());
            if (holder != null) {
                return existing(spawn, holder);
            }
            if (!spawn.needsPid()) {
                return new Spawned(start(host, spawn.submission(node.definitions()), spawner), true, null);
            }
            try {
                return startKnown(spawn, host, spawner);
            } catch (SubmissionRefusedException e) {
                if (!(e.getCause() instanceof NameTakenException)) {
                    throw e;
                }
            }
        }
    }

    /** Returns the living process that has a name, or null. Waits for one that took it and is about to be seen. */
    private @Nullable ProcessRef holderOf(@Nullable String name) {
        while (name != null) {
            Pid pid = node.names().find(name).orElse(null);
            ProcessRef ref = pid == null ? null : node.find(pid).orElse(null);
            if (pid == null || ref != null || !node.isPresent(pid)) {
                return ref;
            }
            Thread.onSpinWait(); // no user code runs in between
        }
        return null;
    }

    private Spawned existing(Spawn spawn, ProcessRef ref) {
        Pid watcher = spawn.monitoredBy();
        if (spawn.linkedTo() != null) {
            node.link(spawn.linkedTo(), ref.pid());
        }
        return new Spawned(ref, false, watcher == null ? null : node.monitor(watcher, ref.pid()));
    }

    private Spawned startKnown(Spawn spawn, Host host, @Nullable ProcessContext spawner) {
        Pid pid = host.reservePid();
        Pid watcher = spawn.monitoredBy();
        Monitor monitor = watcher == null ? null : node.lifecycle().newMonitor(node.local(watcher), pid);
        Pid linked = spawn.linkedTo() == null ? null : node.local(spawn.linkedTo());
        boolean started = false;
        try {
            host.relations().begin(pid, relations -> {
                if (monitor != null) {
                    relations.monitors.put(monitor.ref(), monitor);
                }
                if (linked != null) {
                    relations.links.add(linked);
                }
                relations.definition = spawn.defined();
            });
            if (linked != null && !node.change(linked, relations -> relations.links.add(pid))) {
                node.lifecycle().linkDown(pid, Lifecycle.noSuchProcess(linked)); // told when it has started
            }
            // Made after its relations: an upgrade finds them, or this is made by the new definition.
            Submission submission = spawn.submission(node.definitions()).id(pid.id());
            if (spawn.name() != null) {
                host.expectName(pid, spawn.name());
            }
            ProcessRef ref = start(host, submission, spawner);
            started = true;
            node.lifecycle().started(host, pid);
            return new Spawned(ref, true, monitor);
        } finally {
            if (!started) {
                undo(host, pid, monitor, linked);
            }
        }
    }

    /** What did not start leaves nothing behind, and whoever came to know of it is told. */
    private void undo(Host host, Pid pid, @Nullable Monitor monitor, @Nullable Pid linked) {
        host.forgetName(pid);
        if (linked != null) {
            node.changeIfPresent(linked, relations -> relations.links.remove(pid));
        }
        Relations relations = host.relations().end(pid);
        if (relations != null) {
            if (monitor != null) {
                relations.monitors.remove(monitor.ref());
            }
            if (linked != null) {
                relations.links.remove(linked);
            }
            node.lifecycle().ended(host, Lifecycle.noSuchProcess(pid), relations);
        }
    }

    private Host hostOf(Spawn spawn, @Nullable ProcessContext spawner) {
        if (spawn.host() != null) {
            return node.host(spawn.host());
        }
        return spawner == null ? node.hosts().get(0) : node.host(spawner.self().host());
    }

    private static ProcessRef start(Host host, Submission submission, @Nullable ProcessContext spawner) {
        if (spawner == null) {
            return host.scheduler().submit(submission);
        }
        if (spawner.self().host().equals(host.name())) {
            return spawner.spawn(submission);
        }
        return host.scheduler().submit(submission.inherit(spawner.carried()).parent(spawner.self()));
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Submission;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts processes on the hosts of a node, with their name, link and monitor in place before their first step. */
final class Spawner {
    /*
     * A process that others must know gets an address of the node's choice. Name and relations are entered under it, then
     * the process is started. If that fails they are taken out again: nobody was told, since nothing ever ran.
     */
    private final Node node;

    Spawner(Node node) {
        this.node = node;
    }

    Spawned spawn(Spawn spawn, @Nullable ProcessContext spawner) {
        Host host = hostOf(spawn, spawner);
        if (spawn.name() != null) {
            Optional<ProcessRef> holder = node.names().find(spawn.name()).flatMap(node::find);
            if (holder.isPresent()) {
                return existing(spawn, holder.get());
            }
        }
        Submission submission = spawn.submission(node.definitions());
        if (!spawn.needsPid()) {
            return new Spawned(start(host, submission, spawner), true, null);
        }
        Pid pid = host.reservePid();
        Pid holder = spawn.name() == null ? null : node.names().reserve(spawn.name(), pid);
        if (holder != null) {
            Optional<ProcessRef> ref = node.find(holder);
            return ref.isPresent() ? existing(spawn, ref.get()) : spawn(spawn, spawner); // it has just ended
        }
        return startKnown(spawn, host, pid, submission, spawner);
    }

    private Spawned existing(Spawn spawn, ProcessRef ref) {
        Pid watcher = spawn.monitoredBy();
        if (spawn.linkedTo() != null) {
            node.link(spawn.linkedTo(), ref.pid());
        }
        return new Spawned(ref, false, watcher == null ? null : node.monitor(watcher, ref.pid()));
    }

    private Spawned startKnown(
            Spawn spawn, Host host, Pid pid, Submission submission, @Nullable ProcessContext spawner) {
        Pid watcher = spawn.monitoredBy();
        Monitor monitor = watcher == null ? null : node.lifecycle().newMonitor(watcher, pid);
        Pid linked = spawn.linkedTo();
        boolean started = false;
        try {
            host.relations().begin(pid, relations -> {
                if (spawn.name() != null) {
                    relations.names.add(spawn.name());
                }
                if (monitor != null) {
                    relations.monitors.put(monitor.ref(), monitor);
                }
                if (linked != null) {
                    relations.links.add(linked);
                }
                relations.definition = spawn.definition();
            });
            boolean linkedLives = linked == null || node.change(linked, relations -> relations.links.add(pid));
            ProcessRef ref = start(host, submission.id(pid.id()), spawner);
            started = true;
            if (!linkedLives && linked != null) {
                node.link(linked, pid); // it has ended: the new process hears of that
            }
            return new Spawned(ref, true, monitor);
        } finally {
            if (!started) {
                host.relations().end(pid);
                if (spawn.name() != null) {
                    node.names().release(pid, List.of(spawn.name()));
                }
                if (linked != null) {
                    node.changeIfPresent(linked, relations -> relations.links.remove(pid));
                }
            }
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
        return host.scheduler().submit(submission.inherit(spawner.attributes()).parent(spawner.self()));
    }
}

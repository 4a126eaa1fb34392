// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.relay.Delivery;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Names of processes on a node: one name, one process; a process may have several. A name is free again when its process
 * ends, before anybody who watches it hears of that.
 */
public final class Names {
    private final Node node;
    private final ConcurrentMap<String, Pid> byName = new ConcurrentHashMap<>();

    Names(Node node) {
        this.node = node;
    }

    /**
     * Gives a process a name, if it is free.
     *
     * @return the process that has the name now: this one, or the one that had it before; empty if this one is not alive
     */
    public Optional<Pid> register(String name, Pid pid) {
        checkName(name);
        Objects.requireNonNull(pid, "pid is null: give the Pid of the process");
        Pid local = node.local(pid);
        var holder = new Pid[1];
        boolean alive = node.change(local, relations -> {
            holder[0] = take(name, local);
            if (holder[0].equals(local)) {
                relations.names.add(name);
            }
        });
        return alive ? Optional.of(holder[0]) : Optional.empty();
    }

    /** Takes the name for a process, unless a living one has it. Returns who has it now. */
    Pid take(String name, Pid pid) {
        while (true) {
            Pid before = byName.putIfAbsent(checkName(name), pid);
            if (before == null || before.equals(pid)) {
                return pid;
            }
            if (node.isPresent(before)) {
                return before;
            }
            if (byName.replace(name, before, pid)) {
                return pid; // it has ended, and is about to give the name back
            }
        }
    }

    /**
     * Takes a name away.
     *
     * @return the process that had it, or nothing
     */
    public Optional<Pid> unregister(String name) {
        Pid pid = byName.get(checkName(name));
        if (pid == null) {
            return Optional.empty();
        }
        node.changeIfPresent(pid, relations -> relations.names.remove(name));
        return byName.remove(name, pid) ? Optional.of(pid) : Optional.empty();
    }

    /** Returns the process that has a name, or nothing. */
    public Optional<Pid> find(String name) {
        return Optional.ofNullable(byName.get(checkName(name)));
    }

    /** Sends a message to the process that has a name, from outside. */
    public Delivery send(String name, String topic, @Nullable Object payload) {
        Pid pid = byName.get(checkName(name));
        return pid == null ? Delivery.NO_SUCH_PROCESS : node.send(pid, topic, payload);
    }

    /** Returns all names and who has them, sorted; each is true of a moment. */
    public Map<String, Pid> all() {
        return new TreeMap<>(byName);
    }

    /** Calls for each name and who has it, in no order and without a copy; each is true of a moment. */
    public void forEach(BiConsumer<String, Pid> action) {
        byName.forEach(action);
    }

    /** Returns how many names are taken. */
    public int size() {
        return byName.size();
    }

    /** At the end of a process, or when it did not start. */
    void release(Pid pid, Collection<String> names) {
        names.forEach(name -> byName.remove(name, pid));
    }

    private static String checkName(String name) {
        Objects.requireNonNull(name, "name is null: give a name such as \"orders\"");
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "name was \"" + name + "\", must not be blank: give a name such as" + " \"orders\"");
        }
        return name;
    }
}

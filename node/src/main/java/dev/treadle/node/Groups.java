// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.relay.Delivery;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Named groups of processes on a node. A process may be in many; it leaves all of them when it ends. A group is there as
 * long as it has members or watchers.
 */
public final class Groups {
    /** The topic of the messages that watchers of a group get; their payload is a {@link Change}. */
    public static final String TOPIC = "treadle.group";

    private final Node node;
    private final ConcurrentMap<String, Group> byName = new ConcurrentHashMap<>();

    Groups(Node node) {
        this.node = node;
    }

    /**
     * Lets a process join a group.
     *
     * @return whether it is a member now; false if it is not alive
     */
    public boolean join(String group, Pid pid) {
        checkName(group);
        Objects.requireNonNull(pid, "pid is null: give the Pid of the process");
        return node.change(pid, relations -> {
            if (relations.groups.add(group)) {
                change(group, found -> found.members.add(pid));
                tellWatchers(group, pid, true);
            }
        });
    }

    /** Lets a process leave a group. Nothing happens if it is no member. */
    public void leave(String group, Pid pid) {
        checkName(group);
        node.changeIfPresent(pid, relations -> {
            if (relations.groups.remove(group)) {
                remove(group, pid);
            }
        });
    }

    /** At the end of a process. */
    void leaveAll(Pid pid, Relations relations) {
        relations.groups.forEach(group -> remove(group, pid));
        relations.watchedGroups.forEach(group -> change(group, found -> found.watchers.remove(pid)));
    }

    private void remove(String group, Pid pid) {
        change(group, found -> found.members.remove(pid));
        tellWatchers(group, pid, false);
    }

    /** Returns the members of a moment, in the order in which they joined. */
    public List<Pid> members(String group) {
        Group found = byName.get(checkName(group));
        return found == null ? List.of() : found.snapshot();
    }

    /** Returns how many members there are. */
    public int size(String group) {
        Group found = byName.get(checkName(group));
        return found == null ? 0 : found.size();
    }

    /** Returns all groups and how many members each has, sorted. */
    public Map<String, Integer> all() {
        var sizes = new TreeMap<String, Integer>();
        byName.forEach((name, group) -> sizes.put(name, group.size()));
        sizes.values().removeIf(size -> size == 0);
        return sizes;
    }

    /**
     * Sends a message to all members of a moment, from outside.
     *
     * @return to how many it was delivered
     */
    public int broadcast(String group, String topic, @Nullable Object payload) {
        int delivered = 0;
        for (Pid member : members(group)) {
            delivered += node.send(member, topic, payload) == Delivery.DELIVERED ? 1 : 0;
        }
        return delivered;
    }

    /**
     * Lets a process watch a group: it gets a message with topic {@link #TOPIC} for each change from now on.
     *
     * @return the members at the moment from which on it is told; empty also if the watcher is not alive
     */
    public List<Pid> watch(String group, Pid watcher) {
        checkName(group);
        Objects.requireNonNull(watcher, "watcher is null: give the Pid of who is told");
        var members = new ArrayList<Pid>();
        node.change(watcher, relations -> {
            relations.watchedGroups.add(group);
            change(group, found -> {
                found.watchers.add(watcher);
                members.addAll(found.members);
            });
        });
        return List.copyOf(members);
    }

    /** Lets a process watch a group no longer. */
    public void unwatch(String group, Pid watcher) {
        checkName(group);
        node.changeIfPresent(watcher, relations -> {
            if (relations.watchedGroups.remove(group)) {
                change(group, found -> found.watchers.remove(watcher));
            }
        });
    }

    private void change(String name, Consumer<Group> change) {
        byName.compute(name, (key, before) -> {
            Group group = before == null ? new Group() : before;
            synchronized (group) {
                change.accept(group);
                return group.members.isEmpty() && group.watchers.isEmpty() ? null : group;
            }
        });
    }

    private void tellWatchers(String name, Pid member, boolean joined) {
        Group group = byName.get(name);
        List<Pid> watchers = group == null ? List.of() : group.watchers();
        var change = new Change(name, member, joined);
        watchers.forEach(watcher -> node.send(watcher, TOPIC, change));
    }

    private static String checkName(String group) {
        Objects.requireNonNull(group, "group is null: give its name");
        if (group.isBlank()) {
            throw new IllegalArgumentException("group was \"" + group + "\", must not be blank: give its name");
        }
        return group;
    }

    /**
     * A change of a group.
     *
     * @param group the name of the group
     * @param member who joined or left
     * @param joined whether it joined
     */
    public record Change(String group, Pid member, boolean joined) {}

    /** Who is in a group, and who watches it. Under its own lock, so that a copy is of one moment. */
    private static final class Group {
        private final Set<Pid> members = new LinkedHashSet<>();
        private final Set<Pid> watchers = new LinkedHashSet<>();

        synchronized List<Pid> snapshot() {
            return List.copyOf(members);
        }

        synchronized List<Pid> watchers() {
            return watchers.isEmpty() ? List.of() : List.copyOf(watchers);
        }

        synchronized int size() {
            return members.size();
        }
    }
}

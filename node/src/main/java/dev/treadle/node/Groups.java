// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.relay.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
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
    private final Queue<Notice> notices = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean telling = new AtomicBoolean();

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
        Pid local = node.local(Objects.requireNonNull(pid, "pid is null: give the Pid of the process"));
        boolean alive = node.change(local, relations -> {
            if (relations.groups.add(group)) {
                change(group, found -> found.add(new Change(group, local, true)));
            }
        });
        tellWatchers();
        return alive;
    }

    /** Lets a process leave a group. Nothing happens if it is no member. */
    public void leave(String group, Pid pid) {
        checkName(group);
        Pid local = node.local(Objects.requireNonNull(pid, "pid is null: give the Pid of the process"));
        node.changeIfPresent(local, relations -> {
            if (relations.groups.remove(group)) {
                remove(group, local);
            }
        });
        tellWatchers();
    }

    /** At the end of a process. */
    void leaveAll(Pid pid, Relations relations) {
        relations.groups.forEach(group -> remove(group, pid));
        relations.watchedGroups.forEach(group -> change(group, found -> found.unwatch(pid)));
        tellWatchers();
    }

    private void remove(String group, Pid pid) {
        change(group, found -> found.remove(new Change(group, pid, false)));
    }

    /** Returns the members of a moment, in the order in which they joined. */
    public List<Pid> members(String group) {
        Group found = byName.get(checkName(group));
        return found == null ? List.of() : found.members();
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

    /** Calls for each group that has members with how many, in no order and without a copy; each is true of a moment. */
    public void forEach(ObjIntConsumer<String> action) {
        byName.forEach((name, group) -> {
            int size = group.size();
            if (size > 0) {
                action.accept(name, size);
            }
        });
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
     * Lets a process watch a group: it gets a message with topic {@link #TOPIC} for each change from now on, in the order
     * of the changes. As all messages they can be refused by a mailbox that is full.
     *
     * @return the members at the moment from which on it is told; empty also if the watcher is not alive
     */
    public List<Pid> watch(String group, Pid watcher) {
        checkName(group);
        Objects.requireNonNull(watcher, "watcher is null: give the Pid of who is told");
        Pid local = node.local(watcher);
        var members = new ArrayList<Pid>();
        node.change(local, relations -> {
            relations.watchedGroups.add(group);
            change(group, found -> members.addAll(found.watch(local)));
        });
        return List.copyOf(members);
    }

    /** Lets a process watch a group no longer. */
    public void unwatch(String group, Pid watcher) {
        checkName(group);
        Pid local = node.local(Objects.requireNonNull(watcher, "watcher is null: give the Pid of who is told"));
        node.changeIfPresent(local, relations -> {
            if (relations.watchedGroups.remove(group)) {
                change(group, found -> found.unwatch(local));
            }
        });
    }

    private void change(String name, Consumer<Group> change) {
        byName.compute(name, (key, before) -> {
            Group group = before == null ? new Group(notices) : before;
            change.accept(group);
            return group.isEmpty() ? null : group;
        });
    }

    /**
     * Sends what changes have left to tell. To send can run user code (a listener for dead letters), so it is done here,
     * under no lock; by one thread at a time, so that watchers hear of changes in the order in which they were made.
     */
    private void tellWatchers() {
        while (!notices.isEmpty() && telling.compareAndSet(false, true)) {
            try {
                for (Notice notice = notices.poll(); notice != null; notice = notices.poll()) {
                    Change change = notice.change();
                    notice.watchers().forEach(watcher -> node.send(watcher, TOPIC, change));
                }
            } finally {
                telling.set(false);
            }
        }
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

    /** A change, and who watched the group when it was made. */
    record Notice(List<Pid> watchers, Change change) {}
}

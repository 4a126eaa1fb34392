// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who is in a group, and who watches it. Under its own lock, so that a copy is of one moment. Calls nobody. */
final class Group {
    private final Queue<Groups.Notice> notices;
    private final Set<Pid> members = new LinkedHashSet<>();

    /** A new list at each change, so that a notice can hold it. */
    private List<Pid> watchers = List.of();

    /** The members as somebody asked for them last, or null if they have changed since. */
    private @Nullable List<Pid> copy;

    Group(Queue<Groups.Notice> notices) {
        this.notices = notices;
    }

    synchronized void add(Groups.Change change) {
        if (members.add(change.member())) {
            changed(change);
        }
    }

    synchronized void remove(Groups.Change change) {
        if (members.remove(change.member())) {
            changed(change);
        }
    }

    private void changed(Groups.Change change) {
        copy = null;
        if (!watchers.isEmpty()) {
            notices.add(new Groups.Notice(watchers, change));
        }
    }

    /** Adds a watcher, and returns the members of this moment. */
    synchronized List<Pid> watch(Pid watcher) {
        if (!watchers.contains(watcher)) {
            var more = new ArrayList<>(watchers);
            more.add(watcher);
            watchers = List.copyOf(more);
        }
        return members();
    }

    synchronized void unwatch(Pid watcher) {
        watchers = watchers.stream().filter(each -> !each.equals(watcher)).toList();
    }

    synchronized List<Pid> members() {
        List<Pid> copy = this.copy;
        if (copy == null) {
            copy = List.copyOf(members);
            this.copy = copy;
        }
        return copy;
    }

    synchronized int size() {
        return members.size();
    }

    synchronized boolean isEmpty() {
        return members.isEmpty() && watchers.isEmpty();
    }
}

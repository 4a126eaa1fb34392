// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The supervisors of a node that are alive. */
final class Supervisors {
    private final ConcurrentMap<Pid, SupervisorLife> byPid = new ConcurrentHashMap<>();

    void add(Pid pid, SupervisorLife supervisor) {
        byPid.put(pid, supervisor);
    }

    void remove(Pid pid) {
        byPid.remove(pid);
    }

    @Nullable
    SupervisorLife find(@Nullable Pid pid) {
        return pid == null ? null : byPid.get(pid);
    }

    SupervisionTree tree(String node) {
        List<SupervisionTree.Entry> top = new ArrayList<>();
        byPid.forEach((pid, supervisor) -> {
            if (supervisor.isTop()) {
                top.add(new SupervisionTree.Entry(
                        "supervisor", pid, supervisor.state(), 0, supervisor.supervision(), entriesOf(supervisor)));
            }
        });
        top.sort(Comparator.comparing(entry -> String.valueOf(entry.pid())));
        return new SupervisionTree(node, top);
    }

    /** Any thread: the children of a supervisor, and theirs. */
    List<SupervisionTree.Entry> entriesOf(SupervisorLife supervisor) {
        List<SupervisionTree.Entry> entries = new ArrayList<>();
        for (SupervisorChild child : supervisor.children()) {
            SupervisorChild.View view = child.view();
            SupervisorLife below = find(view.pid());
            entries.add(new SupervisionTree.Entry(
                    child.spec.id(),
                    view.pid(),
                    child.spec.isSupervisor() && below == null ? stateWithout(view) : view.state(),
                    view.restarts(),
                    below == null ? null : below.supervision(),
                    below == null ? List.of() : entriesOf(below)));
        }
        return entries;
    }

    /** What a supervisor that has closed is doing, though the one above has not heard of it yet. */
    private static SupervisionTree.State stateWithout(SupervisorChild.View view) {
        return view.pid() == null ? view.state() : SupervisionTree.State.STOPPING;
    }
}

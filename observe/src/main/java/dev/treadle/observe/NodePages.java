// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Pid;
import dev.treadle.node.Node;
import dev.treadle.node.SupervisionTree;
import dev.treadle.node.SupervisionTree.Entry;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Writes what only a node has: its supervision tree, names and groups, of each as much as people can read. Any thread. */
final class NodePages {
    /** How many children of one supervisor are shown, and how many entries in all. */
    static final int CHILDREN_MAX = 100;

    static final int ENTRIES_MAX = 2_000;

    /** How many names, groups, or members of a group are shown. */
    static final int NAMES_MAX = 200;

    private final @Nullable Node node;
    private final @Nullable Paced<SupervisionTree> tree;
    private final PacedAnswers<String, Named> named = new PacedAnswers<>(this::find);

    NodePages(Subject subject) {
        Node node = subject.node();
        this.node = node;
        this.tree = node == null ? null : new Paced<>(node::tree);
    }

    // The tree.

    String tree() {
        Paced<SupervisionTree> tree = this.tree;
        if (tree == null) {
            return none();
        }
        Paced.Known<SupervisionTree> known = tree.get();
        var left = new int[] {ENTRIES_MAX};
        return JsonWriter.object(json -> json.field("isNode", true)
                .field("refreshMillis", known.lifetime().toMillis())
                .field("node", known.value().node())
                .objects("supervisors", known.value().supervisors(), (each, entry) -> writeEntry(each, entry, left)));
    }

    private static void writeEntry(JsonWriter json, Entry entry, int[] left) {
        left[0]--;
        json.field("id", Text.shortened(entry.id()))
                .field("pid", entry.pid() == null ? null : entry.pid().toString())
                .field("state", entry.state().name())
                .field("restarts", entry.restarts());
        if (entry.supervisor() != null) {
            json.field("strategy", entry.supervisor().strategy().name())
                    .field("restartsInAll", entry.supervisor().restarts())
                    .field("childCount", entry.children().size())
                    .field(
                            "childStates",
                            states -> count(entry.children())
                                    .forEach((state, count) -> states.field(state.name(), count)));
            List<Entry> shown = shown(entry.children(), Math.max(0, Math.min(CHILDREN_MAX, left[0])));
            json.objects("children", shown, (each, child) -> writeEntry(each, child, left));
        }
    }

    private static Map<SupervisionTree.State, Long> count(List<Entry> children) {
        var counts = new EnumMap<SupervisionTree.State, Long>(SupervisionTree.State.class);
        children.forEach(child -> counts.merge(child.state(), 1L, Long::sum));
        return counts;
    }

    /** All in their order if they fit; else those that need a look first: not running, supervisors, restarted most. */
    private static List<Entry> shown(List<Entry> children, int most) {
        if (children.size() <= most) {
            return children;
        }
        return children.stream()
                .sorted(Comparator.comparing((Entry child) -> child.state() == SupervisionTree.State.RUNNING)
                        .thenComparing(child -> child.supervisor() == null)
                        .thenComparing(Entry::restarts, Comparator.reverseOrder()))
                .limit(most)
                .toList();
    }

    // Names and groups.

    /** Returns the names and groups that contain a text, the first of them in order. */
    String names(String search) {
        if (node == null) {
            return none();
        }
        Paced.Known<Named> known = named.answer(search.strip().toLowerCase(Locale.ROOT));
        First<Pid> names = known.value().names();
        First<Integer> groups = known.value().groups();
        return JsonWriter.object(json -> json.field("isNode", true)
                .field("refreshMillis", known.lifetime().toMillis())
                .field("nameCount", names.matching)
                .objects(
                        "names",
                        names.inOrder(),
                        (each, found) -> each.field("name", found.name())
                                .field("pid", found.value().toString()))
                .field("groupCount", groups.matching)
                .objects(
                        "groups",
                        groups.inOrder(),
                        (each, found) -> each.field("name", found.name()).field("size", found.value())));
    }

    private Named find(String wanted) {
        var found = new Named(new First<>(), new First<>());
        Node node = this.node;
        if (node != null) {
            node.names().forEach((name, pid) -> found.names.offer(name, pid, wanted));
            node.groups().forEach((name, size) -> found.groups.offer(name, size, wanted));
        }
        return found;
    }

    /** Returns the members of a group. */
    String group(String name) {
        Node node = this.node;
        if (node == null || name.isBlank()) {
            return none();
        }
        List<Pid> members = node.groups().members(name);
        return JsonWriter.object(json -> json.field("isNode", true)
                .field("name", name)
                .field("size", members.size())
                .field(
                        "members",
                        members.stream().limit(NAMES_MAX).map(Pid::toString).toList()));
    }

    private static String none() {
        return JsonWriter.object(json -> json.field("isNode", false));
    }

    private record Named(First<Pid> names, First<Integer> groups) {}

    private record Found<T>(String name, T value) {}

    /** The first names in order among however many there are. Not changed any more once it is found. */
    private static final class First<T> {
        private static final Comparator<Found<?>> BY_NAME = Comparator.comparing(Found::name);

        private final PriorityQueue<Found<T>> best = new PriorityQueue<>(BY_NAME.reversed());
        private long matching;

        void offer(String name, T value, String wanted) {
            if (!wanted.isEmpty() && !name.toLowerCase(Locale.ROOT).contains(wanted)) {
                return;
            }
            matching++;
            best.add(new Found<>(name, value));
            if (best.size() > NAMES_MAX) {
                best.remove();
            }
        }

        List<Found<T>> inOrder() {
            return best.stream().sorted(BY_NAME).toList();
        }
    }
}

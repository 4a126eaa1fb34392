// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The {@link Relations} of the processes of one host that have any. */
final class RelationTable {
    /*
     * Why nothing is missed. change() looks inside of compute whether the process is alive, and end() removes the
     * relations. A process is no longer alive when it tells of its end. If change() saw it alive, end() comes later and
     * finds the change; if end() came first, change() sees it dead.
     *
     * Relations that are there have their end to come, whether the process is being started, lives or is just ending:
     * so a change to them needs no look. A process that is being started has them until it has started.
     *
     * No change calls into another process's relations, nor user code: it runs under the lock of a bin of the map.
     */
    private final ConcurrentMap<Long, Relations> byId = new ConcurrentHashMap<>();
    private final Predicate<Pid> isAlive;

    RelationTable(Predicate<Pid> isAlive) {
        this.isAlive = isAlive;
    }

    /** Changes the relations of a process; false if it is not alive, and nothing was changed. */
    boolean change(Pid pid, Consumer<Relations> change) {
        var alive = new boolean[1];
        byId.compute(pid.id(), (id, before) -> {
            if (before == null && !isAlive.test(pid)) {
                return null;
            }
            alive[0] = true;
            Relations relations = before == null ? new Relations() : before;
            change.accept(relations);
            return relations.isEmpty() ? null : relations;
        });
        return alive[0];
    }

    /** Enters relations for a process that is about to start, and that nobody knows yet. */
    void begin(Pid pid, Consumer<Relations> change) {
        var relations = new Relations();
        relations.starting = true;
        change.accept(relations);
        byId.put(pid.id(), relations);
    }

    /** A process that had begun has started. Returns what it has missed. */
    Missed started(Pid pid) {
        var missed = new Missed[] {Missed.NOTHING};
        changeIfPresent(pid, relations -> {
            relations.starting = false;
            missed[0] = new Missed(relations.missed, relations.upgradeDue ? relations.definition : null);
            relations.missed = null;
            relations.upgradeDue = false;
        });
        return missed[0];
    }

    /**
     * What happened to a process while it was being started.
     *
     * @param exit the end of a linked process, or null
     * @param upgrade the definition that it is to be upgraded to, or null
     */
    record Missed(@Nullable ProcessExit exit, @Nullable Defined upgrade) {
        static final Missed NOTHING = new Missed(null, null);
    }

    /** Returns whether a process is told of linked ones that end, instead of ending too. */
    boolean traps(Pid pid) {
        Relations relations = byId.get(pid.id());
        return relations != null && relations.traps;
    }

    /** Returns whether a process is being started. */
    boolean isStarting(Pid pid) {
        Relations relations = byId.get(pid.id());
        return relations != null && relations.starting;
    }

    /** Calls for each process that has relations, of a moment. */
    void forEach(BiConsumer<Long, Relations> action) {
        byId.keySet()
                .forEach(key -> byId.computeIfPresent(key, (id, relations) -> {
                    action.accept(id, relations);
                    return relations;
                }));
    }

    /** Changes the relations of a process if it has any, alive or not. */
    void changeIfPresent(Pid pid, Consumer<Relations> change) {
        byId.computeIfPresent(pid.id(), (id, relations) -> {
            change.accept(relations);
            return relations.isEmpty() ? null : relations;
        });
    }

    /** Removes the relations of a process that has ended, and returns them; null if it had none. */
    @Nullable
    Relations end(Pid pid) {
        return byId.remove(pid.id());
    }

    /** Returns how many processes have relations. */
    int size() {
        return byId.size();
    }
}

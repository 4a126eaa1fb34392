// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The {@link Relations} of the processes of one host that have any. */
final class RelationTable {
    /*
     * Why nothing is missed. change() looks whether the process is alive inside of compute, and so does end() remove the
     * relations. The scheduler takes a process off its table before it tells of the end. If change() saw it alive, end()
     * comes later and finds the change; if end() came first, change() sees it dead.
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
            if (!isAlive.test(pid)) {
                return before; // if there are any, the end is about to remove them
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
        change.accept(relations);
        byId.put(pid.id(), relations);
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

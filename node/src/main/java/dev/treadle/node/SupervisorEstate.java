// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a supervisor leaves behind when it ends with children that live: its own supervisor waits for their end. */
final class SupervisorEstate {
    /*
     * A supervisor that is terminated cannot wait for its children. It terminates them when it is closed, and they end a
     * little later, perhaps after its own supervisor has heard of its end. If that one started it again at once, the same
     * children would run twice. So they are left to it, before it hears of the end; it watches them, and starts nothing
     * until they are gone. If one of them was a supervisor, it leaves its children in the same way.
     *
     * If the supervisor above has ended as well, the next one above it inherits. leave() and close() exclude each other by
     * the lock of the one that inherits: what it got before it was closed it leaves on.
     */
    private final @Nullable SupervisorEstate above;

    // Under the lock of this object.
    private final Map<Pid, List<Pid>> inherited = new HashMap<>();
    private boolean closed;

    SupervisorEstate(@Nullable SupervisorEstate above) {
        this.above = above;
    }

    /** Counts a child that has been started; false if the supervisor was closed meanwhile, and has to end it itself. */
    synchronized boolean add(SupervisorChild child, long ref, Pid pid) {
        child.watched.put(ref, pid);
        return !closed;
    }

    /** The supervisor, when it hears of an end: what that one left behind. */
    synchronized List<Pid> take(Pid ended) {
        List<Pid> left = inherited.remove(ended);
        return left == null ? List.of() : left;
    }

    /** Closes it. Returns who is left: the living of the children, and what was inherited from those that ended. */
    List<Pid> close(Pid self, Collection<SupervisorChild> children) {
        var left = new ArrayList<Pid>();
        synchronized (this) {
            closed = true;
            inherited.values().forEach(left::addAll);
            inherited.clear();
            children.forEach(child -> left.addAll(child.watched.values()));
        }
        if (!left.isEmpty()) {
            SupervisorEstate heir = above;
            while (heir != null && !heir.inherit(self, left)) {
                heir = heir.above;
            }
        }
        return left;
    }

    private synchronized boolean inherit(Pid from, List<Pid> left) {
        if (closed) {
            return false;
        }
        inherited.put(from, List.copyOf(left));
        return true;
    }
}

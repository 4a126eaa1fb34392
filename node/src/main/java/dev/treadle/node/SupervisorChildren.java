// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.Signal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The children of one supervisor: who is there, who is to be started when, who is to be stopped in which order. */
final class SupervisorChildren {
    /*
     * Each event costs what it changes, not what there is: a supervisor may have very many children that come and go. All but
     * the map by order are the supervisor's own; that one is read by others too.
     */
    private final ConcurrentSkipListMap<Long, SupervisorChild> byOrder = new ConcurrentSkipListMap<>();
    private final Map<String, SupervisorChild> byId = new HashMap<>();
    private final Map<Long, SupervisorChild> byRef = new HashMap<>();
    private final NavigableSet<SupervisorChild> toStart = new TreeSet<>(SupervisorChild::byStart);
    private final NavigableMap<Long, SupervisorChild> toStop = new TreeMap<>();
    private final Set<SupervisorChild> starting = new LinkedHashSet<>();
    private final SupervisorEstate estate;
    private long orders;

    SupervisorChildren(SupervisorEstate estate) {
        this.estate = estate;
    }

    /** Any thread: all of them, in order. */
    Collection<SupervisorChild> all() {
        return Collections.unmodifiableCollection(byOrder.values());
    }

    @Nullable
    SupervisorChild find(String id) {
        return byId.get(id);
    }

    SupervisorChild add(ChildSpec spec) {
        var child = new SupervisorChild(spec, orders++);
        byOrder.put(child.order, child);
        byId.put(spec.id(), child);
        return child;
    }

    void forget(SupervisorChild child) {
        byOrder.remove(child.order);
        byId.remove(child.spec.id());
    }

    /** Who is started again together with a child; that one included. */
    List<SupervisorChild> group(SupervisorStrategy strategy, SupervisorChild child) {
        return switch (strategy) {
            case ONE_FOR_ONE -> List.of(child);
            case ONE_FOR_ALL -> new ArrayList<>(byOrder.values());
            case REST_FOR_ONE ->
                new ArrayList<>(byOrder.tailMap(child.order, true).values());
        };
    }

    // Who is watched.

    /** Counts what a child's end has to wait for. False if the supervisor has been closed, and will not hear of the end. */
    boolean watch(SupervisorChild child, long ref, Pid pid) {
        byRef.put(ref, child);
        return estate.add(child, ref, pid);
    }

    /** Returns the child that a signal is about, and counts that end; null if it is about none. */
    @Nullable
    SupervisorChild ended(Signal signal) {
        SupervisorChild child = byRef.remove(signal.ref());
        if (child != null) {
            child.watched.remove(signal.ref());
        }
        return child;
    }

    // Who is to be started.

    void startAt(SupervisorChild child, long nanos) {
        toStart.remove(child);
        child.startNanos = nanos;
        toStart.add(child);
        child.show(SupervisionTree.State.WAITING, null);
    }

    boolean dropStart(SupervisorChild child) {
        return toStart.remove(child);
    }

    @Nullable
    SupervisorChild nextToStart() {
        return toStart.isEmpty() ? null : toStart.first();
    }

    /** The time that the last of those that wait may start, or the given one if that is later. */
    long notBeforeOthers(long nanos) {
        return toStart.isEmpty() ? nanos : Math.max(nanos, toStart.last().startNanos);
    }

    void dropStarts() {
        toStart.forEach(child -> child.show(SupervisionTree.State.STOPPING, null));
        toStart.clear();
    }

    // Who is a supervisor, and has not started all of its own.

    Set<SupervisorChild> starting() {
        return starting;
    }

    // Who is to be stopped.

    /** Plans to stop a child, after those that come later in the order. */
    void stopInOrder(SupervisorChild child, SupervisorChild.Next next) {
        child.isStopWanted = true;
        child.next = next;
        toStop.put(child.order, child);
    }

    @Nullable
    SupervisorChild nextToStop() {
        return toStop.isEmpty() ? null : toStop.lastEntry().getValue();
    }

    /** A child has ended, as it should or not. */
    void dropStop(SupervisorChild child) {
        toStop.remove(child.order);
        child.isStopWanted = false;
        child.isStopTold = false;
    }
}

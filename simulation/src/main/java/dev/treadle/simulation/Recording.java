// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Message;
import dev.treadle.Pid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes down what happens, and keeps the last of it. */
final class Recording {
    private final int capacity;
    private final VirtualTime time;
    private final List<TraceEvent> ring = new ArrayList<>();
    private long count;

    /** Messages that were sent and not yet received, with their numbers. Looked up only, never walked. */
    private final IdentityHashMap<Message, Long> underWay = new IdentityHashMap<>();

    private long messages;

    Recording(VirtualTime time, int capacity) {
        this.time = time;
        this.capacity = capacity;
    }

    void add(TraceEvent.Kind kind, @Nullable Pid pid, @Nullable Object... details) {
        between(kind, pid, null, 0, details);
    }

    void between(
            TraceEvent.Kind kind, @Nullable Pid pid, @Nullable Pid other, long message, @Nullable Object... details) {
        record(kind, pid, other, message, List.of(), details);
    }

    /** A step, with the messages that it gets. */
    void step(Pid pid, List<Long> received, @Nullable Object... events) {
        record(TraceEvent.Kind.STEP, pid, null, 0, received, events);
    }

    private void record(
            TraceEvent.Kind kind,
            @Nullable Pid pid,
            @Nullable Pid other,
            long message,
            List<Long> received,
            @Nullable Object... details) {
        count++;
        List<@Nullable Object> shown =
                details.length == 0 ? Collections.emptyList() : Collections.unmodifiableList(Arrays.asList(details));
        var event = new TraceEvent(count, time.nanos(), kind, pid, other, shown, message, received);
        if (ring.size() < capacity) {
            ring.add(event);
        } else {
            ring.set((int) ((count - 1) % capacity), event);
        }
    }

    /** Numbers a message that came into a mailbox. */
    long sent(Message message) {
        messages++;
        underWay.put(message, messages);
        return messages;
    }

    /** Returns the number of a message that a step gets; 0 if it was not seen coming. */
    long received(Message message) {
        Long number = underWay.remove(message);
        return number == null ? 0 : number;
    }

    long count() {
        return count;
    }

    Trace trace() {
        if (count <= capacity) {
            return new Trace(ring, 0);
        }
        int oldest = (int) (count % capacity);
        var inOrder = new ArrayList<TraceEvent>(ring.subList(oldest, ring.size()));
        inOrder.addAll(ring.subList(0, oldest));
        return new Trace(inOrder, count - capacity);
    }
}

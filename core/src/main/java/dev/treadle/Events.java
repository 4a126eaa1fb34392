// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The events of one step, in order: signals first, then messages and completions as they came.
 *
 * <p>Valid only during the step: a worker uses the same object for the next process. The events in it may be kept.
 */
public sealed class Events extends Padding implements Iterable<Event> {
    /** So many places at the front of the array stay empty, for the reason that {@link Padding} tells. */
    private static final int FRONT = 32;

    /** The first, which most often is the only one: a store in an array looks at its length and type. */
    private @Nullable Event head;

    /** Those after the first. */
    private @Nullable Event[] items;

    private int size;

    /** How many were handed out: the step is at the last of them. */
    private int seen;

    /** Whether all of them are known to be for the step: messages, or answers that were given on the spot. */
    private boolean plain;

    private boolean first;

    /** Told of each event that the step goes to, if anybody wants to know. */
    private @Nullable Runnable onNext;

    Events(int capacity) {
        items = new Event[FRONT + capacity];
    }

    /** Returns the batch of a first step, as a unit test of a process needs it. */
    public static Events ofFirst(Event... events) {
        Events batch = of(events);
        batch.markFirst(true);
        return batch;
    }

    /** Returns the batch of a later step, as a unit test of a process needs it. */
    public static Events of(Event... events) {
        var batch = new Events(Math.max(1, events.length));
        for (Event event : events) {
            batch.add(Objects.requireNonNull(event, "an event is null: leave it out"));
        }
        return batch;
    }

    /** Returns how many there are; at most the event budget of the scheduler. */
    public int size() {
        return size;
    }

    /**
     * Returns whether this is the first step of the process, or of one that took its place in an upgrade: the moment to
     * yield what it begins with. There may be events already, if somebody was quick.
     */
    public boolean isFirst() {
        return first;
    }

    /** Returns whether there are none: the first step, most often, or one after {@link StepOutput#again}. */
    public boolean isEmpty() {
        return size == 0;
    }

    /**
     * Returns one of them.
     *
     * @param index which, from 0
     * @throws IndexOutOfBoundsException if there is none at that index
     */
    public Event get(int index) {
        Objects.checkIndex(index, size);
        return goTo(index);
    }

    private Event goTo(int index) {
        Event event = peek(index);
        seen = index + 1;
        if (onNext != null) {
            onNext.run();
        }
        return event;
    }

    /** Worker only: the event that the step is at, or null if it has not looked at any. */
    @Nullable
    Event current() {
        return seen == 0 ? null : peek(seen - 1);
    }

    /** Worker only: how many were handed out; the step is at the last of them. */
    int seen() {
        return seen;
    }

    /** Worker only: the event at an index, without going there. */
    Event peek(int index) {
        return Objects.requireNonNull(index == 0 ? head : items[FRONT + index]);
    }

    /** Worker only: how many of them are messages. */
    int messages() {
        int messages = 0;
        for (int i = 0; i < size; i++) {
            messages += peek(i) instanceof Message ? 1 : 0;
        }
        return messages;
    }

    /** Worker only, once: sets who is told of each event that the step goes to. */
    void onNext(Runnable action) {
        onNext = action;
    }

    /** Returns an iterator, valid only during the step. */
    @Override
    public Iterator<Event> iterator() {
        return new Cursor();
    }

    /** Worker only. */
    void add(Event event) {
        put(size, event);
        size++;
    }

    /** Worker only, if there are none: one event that is for the step, as it is. */
    void addOnly(Event event) {
        head = event;
        size = 1;
        plain = true;
    }

    /** Worker only: puts an event at an index below a size that was set before, when filling from the back. */
    void put(int index, @Nullable Event event) {
        if (index == 0) {
            head = event;
        } else {
            items[FRONT + index] = event;
        }
    }

    /** Worker only. */
    void size(int size) {
        this.size = size;
    }

    /** Worker only: says whether the step is the first. */
    void markFirst(boolean first) {
        this.first = first;
    }

    /** Worker only: says that all of them are for the step, as they are. */
    void markPlain() {
        plain = true;
    }

    /** Worker only: whether all of them are for the step, and known to be. */
    boolean isPlain() {
        return plain;
    }

    /** Worker only: drops what comes after the first so many. */
    void shrink(int size) {
        for (int i = size; i < this.size; i++) {
            put(i, null);
        }
        this.size = size;
    }

    /** Worker only: forgets the events, so that no step can keep another process's messages alive. */
    void clear() {
        if (size > 0) {
            head = null;
            if (size > 1) {
                Arrays.fill(items, FRONT + 1, FRONT + size, null);
            }
            size = 0;
        }
        seen = 0;
        plain = false;
    }

    @Override
    public String toString() {
        return IntStream.range(0, size).mapToObj(this::peek).toList().toString();
    }

    /** Small, and seen only by the loop that asked for it: the compiler makes it vanish. */
    private final class Cursor implements Iterator<Event> {
        private int index;

        @Override
        public boolean hasNext() {
            return index < size;
        }

        @Override
        public Event next() {
            if (index >= size) {
                throw new NoSuchElementException("no event after " + size);
            }
            return goTo(index++);
        }
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends Events {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

        Padded(int capacity) {
            super(capacity);
        }
    }
}

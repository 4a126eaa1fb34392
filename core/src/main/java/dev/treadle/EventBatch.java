// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The events that a worker hands to a step. One per worker, whose thread alone uses it, for all steps. */
sealed class EventBatch extends Events {
    /*
     * The first event is in a field, since most steps get one alone; the others are in an array, at their index. Their links,
     * with which they waited in the queue, are cut when they come here: an event that is kept after its step keeps no other.
     *
     * Why not a chain: a walk over links waits for each load before the next. To cut them after the step, in a walk of its
     * own, was a tenth of the time of a flood. The array is as young as the events,
     * because a worker renews this object (Worker says why): in an old one each store would cost a fence with G1.
     *
     * The first event is kept after the step, until another one takes its place or forget() is called: to write here that
     * there is none costs as much as to write the next one, which most often follows at once.
     */

    private @Nullable Event first;

    /** Those after the first; the place of the first is left empty. */
    private final @Nullable Event[] others;

    /** Whether all of them are known to be for the step: messages, or answers that were given on the spot. */
    private boolean plain;

    /** Takes how many events a step gets at the most. */
    EventBatch(int budget) {
        others = new Event[budget];
    }

    @Override
    public final Iterator<Event> iterator() {
        return new Cursor();
    }

    @Override
    final Event peek(int index) {
        return Objects.requireNonNull(index == 0 ? first : others[index]);
    }

    /** If it is empty: one event that is for the step, as it is. */
    final void takeOnly(Event event) {
        first = event;
        size = 1;
        plain = true;
    }

    /** After {@link #takeOnly}, and the step that it was for: the same, in place of that one. */
    final void takeNext(Event event) {
        first = event;
        seen = 0;
    }

    /** If it is empty: so many from the top of a chain that is linked from the newest to the oldest. Cuts what it takes. */
    final void takeNewestFirst(@Nullable EventNode newest, int count) {
        EventNode node = newest;
        for (int index = count - 1; index >= 0; index--) {
            node = put(index, Objects.requireNonNull(node, "fewer events wait than were counted"));
        }
        size = count;
    }

    /** Puts an event in, to be counted by {@link #taken}. Returns the one that it was linked to, and cuts that link. */
    final @Nullable EventNode put(int index, EventNode node) {
        var event = (Event) node;
        if (index == 0) {
            first = event;
        } else {
            others[index] = event;
        }
        EventNode linked = event.next;
        event.next = null;
        return linked;
    }

    /** So many were put in. */
    final void taken(int count) {
        size = count;
    }

    /** Says that all of them are for the step, as they are. */
    final void markPlain() {
        plain = true;
    }

    /** Whether all of them are for the step, and known to be. */
    final boolean isPlain() {
        return plain;
    }

    /** Moves one of them to an index, which is its own or one before. */
    final void keep(int index, Event event) {
        if (peek(index) != event) {
            put(index, event);
        }
    }

    /** Leaves only the first so many. */
    final void shrink(int count) {
        empty(count);
        size = count;
    }

    /** How many of them are messages. */
    final int messages() {
        int messages = 0;
        for (int index = 0; index < size; index++) {
            messages += peek(index) instanceof Message ? 1 : 0;
        }
        return messages;
    }

    /** When the step is over: there are no events any more. */
    final void clear() {
        if (size > 1) {
            empty(1);
        }
        size = 0;
        seen = 0;
        plain = false;
        markFirst(false);
    }

    private void empty(int from) {
        for (int index = Math.max(1, from); index < size; index++) {
            others[index] = null;
        }
    }

    /** When it is empty: keeps no event of the last steps. */
    final void forget() {
        if (first != null) {
            first = null;
        }
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
            Event event = peek(index);
            goTo(index++);
            return event;
        }
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends EventBatch {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

        Padded(int budget) {
            super(budget);
        }
    }
}

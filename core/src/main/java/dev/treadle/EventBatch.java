// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The events that a worker hands to a step. One per worker, whose thread alone uses it, for all steps. */
sealed class EventBatch extends Events {
    /*
     * A chain of events, each linked to the next newer one by the link that it had in the queue:
     *
     *   oldest -> Signal -> Message -> Message -> null
     *
     * No array: this object is old, and to store a reference to a young one in an old one costs a fence with G1, for each
     * event of a step. In a chain the young point to the young. When the step is over the links are cut, so that an event
     * that is kept keeps no other. Until then a message that is alone, and may still be on top of its queue, has no link.
     *
     * The first event is kept after the step, until another one takes its place or forget() is called: to write here that
     * there is none costs as much as to write the next one, which most often follows at once.
     */

    private @Nullable EventNode oldest;

    /** The same by their index, if the step asks for any but the first by that. Most go from one to the next. */
    private @Nullable Event[] byIndex = new Event[0];

    private int indexed;

    /** Whether all of them are known to be for the step: messages, or answers that were given on the spot. */
    private boolean plain;

    @Override
    public final Iterator<Event> iterator() {
        return new Cursor();
    }

    @Override
    final Event peek(int index) {
        if (index == 0) {
            return (Event) Objects.requireNonNull(oldest);
        }
        if (indexed == 0) {
            index();
        }
        return Objects.requireNonNull(byIndex[index]);
    }

    private void index() {
        if (byIndex.length < size) {
            byIndex = new Event[size];
        }
        for (EventNode node = oldest; node != null; node = node.next) {
            byIndex[indexed++] = (Event) node;
        }
    }

    private void forgetIndex() {
        if (indexed > 0) {
            Arrays.fill(byIndex, 0, indexed, null);
            indexed = 0;
        }
    }

    /** If it is empty: one event that is for the step, as it is. */
    final void takeOnly(Event event) {
        take((EventNode) event, 1);
        plain = true;
    }

    /** If it is empty, or has had one event alone: the same, in place of that one. */
    final void takeNext(Event event) {
        takeOnly(event);
        seen = 0;
    }

    /** If it is empty: so many events that are linked from the oldest to the newest. */
    final void take(@Nullable EventNode oldest, int count) {
        this.oldest = oldest;
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

    /** The first of the chain, or null if there is none. */
    final @Nullable EventNode oldest() {
        return size == 0 ? null : oldest;
    }

    /** Takes one out of the chain that comes after another one, or is the first if that is null. */
    final void drop(@Nullable EventNode before, EventNode dropped) {
        if (before == null) {
            oldest = dropped.next;
        } else {
            before.next = dropped.next;
        }
        dropped.next = null;
        size--;
        forgetIndex();
    }

    /** How many of them are messages. */
    final int messages() {
        int messages = 0;
        for (EventNode node = oldest(); node != null; node = node.next) {
            messages += node instanceof Message ? 1 : 0;
        }
        return messages;
    }

    /** When the step is over: there are no events any more, and no event keeps another. */
    final void clear() {
        if (size > 1) {
            cut();
        }
        size = 0;
        seen = 0;
        plain = false;
        markFirst(false);
    }

    private void cut() {
        EventNode node = oldest;
        while (node != null) {
            EventNode newer = node.next;
            node.next = null;
            node = newer;
        }
        forgetIndex();
    }

    /** When it is empty: keeps no event of the last steps. */
    final void forget() {
        if (oldest != null) {
            oldest = null;
        }
    }

    /** Small, and seen only by the loop that asked for it: the compiler makes it vanish. */
    private final class Cursor implements Iterator<Event> {
        private @Nullable EventNode next = oldest;
        private int index;

        @Override
        public boolean hasNext() {
            return next != null && index < size; // the latter for one that was kept after its step
        }

        @Override
        public Event next() {
            EventNode node = next;
            if (node == null || index >= size) {
                throw new NoSuchElementException("no event after " + size);
            }
            next = node.next;
            goTo(index++);
            return (Event) node;
        }
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends EventBatch {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Iterator;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The events of one step, in order: signals first, then messages and completions as they came.
 *
 * <p>Valid only during the step and on its thread: a worker uses the same object for the next process. The events in it may
 * be kept, and passed to other threads. To go through them with a loop costs less than to {@link #get} each.
 */
public abstract sealed class Events extends Padding implements Iterable<Event> permits EventBatch, GivenEvents {
    /** How many there are. */
    int size;

    /** How many were handed out: the step is at the last of them. */
    int seen;

    private boolean first;

    /** Told of each event that the step goes to, if anybody wants to know. */
    private @Nullable Runnable onNext;

    Events() {}

    /** Returns the batch of a first step, as a unit test of a process needs it. */
    public static Events ofFirst(Event... events) {
        Events batch = of(events);
        batch.markFirst(true);
        return batch;
    }

    /** Returns the batch of a later step, as a unit test of a process needs it. */
    public static Events of(Event... events) {
        return new GivenEvents(events);
    }

    /** Returns how many there are; at most the event budget of the scheduler. */
    public final int size() {
        return size;
    }

    /**
     * Returns whether this is the first step of the process, or of one that took its place in an upgrade: the moment to
     * yield what it begins with. There may be events already, if somebody was quick.
     */
    public final boolean isFirst() {
        return first;
    }

    /** Returns whether there are none: the first step, most often, or one after {@link StepOutput#again}. */
    public final boolean isEmpty() {
        return size == 0;
    }

    /**
     * Returns one of them.
     *
     * @param index which, from 0
     * @throws IndexOutOfBoundsException if there is none at that index
     */
    public final Event get(int index) {
        Objects.checkIndex(index, size);
        Event event = peek(index);
        goTo(index);
        return event;
    }

    /** Returns an iterator, valid only during the step. */
    @Override
    public abstract Iterator<Event> iterator();

    /** The step goes to an event. */
    final void goTo(int index) {
        seen = index + 1;
        if (onNext != null) {
            onNext.run();
        }
    }

    /** Worker only: the event that the step is at, or null if it has not looked at any. */
    final @Nullable Event current() {
        return seen == 0 ? null : peek(seen - 1);
    }

    /** Worker only: how many were handed out; the step is at the last of them. */
    final int seen() {
        return seen;
    }

    /** Worker only: the event at an index that there is, without going there. */
    abstract Event peek(int index);

    /** Worker only, once: sets who is told of each event that the step goes to. */
    final void onNext(Runnable action) {
        onNext = action;
    }

    /** Worker only: says whether the step is the first. */
    final void markFirst(boolean first) {
        this.first = first;
    }

    @Override
    public final String toString() {
        return IntStream.range(0, size).mapToObj(this::peek).toList().toString();
    }
}

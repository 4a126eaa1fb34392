// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;

/** Events that a test gives to a process. Any may be among them more than once, or in several of these at a time. */
final class GivenEvents extends Events {
    private final List<Event> events;

    GivenEvents(Event... events) {
        var given = new ArrayList<Event>(events.length);
        for (Event event : events) {
            given.add(Objects.requireNonNull(event, "an event is null: leave it out"));
        }
        this.events = given;
        size = given.size();
    }

    @Override
    public Iterator<Event> iterator() {
        return new Iterator<>() {
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
                return get(index++);
            }
        };
    }

    @Override
    Event peek(int index) {
        return events.get(index);
    }
}

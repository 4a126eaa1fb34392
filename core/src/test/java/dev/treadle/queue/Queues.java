// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Views of queues that only tests need. */
final class Queues {
    private Queues() {}

    /** Returns the items that a transfer returned and pushed, in the order in which their new owner runs them. */
    static <E> List<E> takeAll(@Nullable E first, WorkStealingDeque<E> mine) {
        var items = new ArrayList<E>();
        for (E item = first; item != null; item = mine.pop()) {
            items.add(item);
        }
        if (items.size() != mine.transferred()) {
            throw new AssertionError("transferred() was " + mine.transferred() + ", but got " + items);
        }
        return items;
    }

    /** Returns every item that {@code deque} refers to, dead or alive. */
    static List<Object> reachableFrom(WorkStealingDeque<?> deque) {
        var items = new ArrayList<>();
        for (String holder : List.of("slots", "scratch")) {
            addItems(items, (Object[]) field(deque, holder));
        }
        return items;
    }

    /** Returns every item that the segments of {@code queue} refer to, dead or alive, from the head on. */
    static List<Object> reachableFrom(GlobalQueue<?> queue) {
        var items = new ArrayList<>();
        for (Object segment = field(queue, "head"); segment != null; segment = field(segment, "next")) {
            addItems(items, (Object[]) field(segment, "slots"));
        }
        return items;
    }

    private static void addItems(List<Object> items, Object[] slots) {
        for (Object slot : slots) {
            if (slot instanceof Item) {
                items.add(slot);
            }
        }
    }

    /** Returns the value of a private field. */
    static @Nullable Object field(Object object, String name) {
        try {
            Field field = object.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(object.getClass() + " has no field " + name, e);
        }
    }
}

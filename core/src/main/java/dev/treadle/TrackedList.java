// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.ArrayList;
import java.util.List;

/**
 * What a process keeps track of, in no order. The owner of the process only.
 *
 * <p>Things may become over on other threads, which cannot take them out. They are swept out when the list has doubled
 * since the last sweep, so adding takes constant time in the long run, and the list is never longer than twice what is
 * not over, and a few.
 */
final class TrackedList<T extends Tracked> {
    static final int NOWHERE = -1;

    /** No sweep below this length. */
    static final int SWEEP_MIN = 32;

    private final List<T> items = new ArrayList<>();
    private int sweepAt = SWEEP_MIN;

    void add(T item) {
        if (items.size() >= sweepAt) {
            sweep();
        }
        item.index(items.size());
        items.add(item);
    }

    /** Takes an item out, if it is in. */
    void remove(T item) {
        int index = item.index();
        if (index == NOWHERE) {
            return;
        }
        T last = items.remove(items.size() - 1);
        if (last != item) {
            items.set(index, last);
            last.index(index);
        }
        item.index(NOWHERE);
    }

    /** Returns all items, and forgets them. */
    List<T> takeAll() {
        List<T> all = List.copyOf(items);
        all.forEach(item -> item.index(NOWHERE));
        items.clear();
        sweepAt = SWEEP_MIN;
        return all;
    }

    int size() {
        return items.size();
    }

    private void sweep() {
        int kept = 0;
        for (T item : items) {
            if (item.isOver()) {
                item.index(NOWHERE);
            } else {
                item.index(kept);
                items.set(kept++, item);
            }
        }
        items.subList(kept, items.size()).clear();
        sweepAt = Math.max(SWEEP_MIN, 2 * kept);
    }
}

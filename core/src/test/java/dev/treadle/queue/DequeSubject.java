// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import org.jspecify.annotations.Nullable;

/** What the model and stress tests ask of a deque, so that they run on the production class and on faulty twins alike. */
interface DequeSubject {

    /** Owner only. */
    boolean push(Item item);

    /** Owner only. */
    @Nullable
    Item pop();

    /** Any thread. */
    @Nullable
    Item steal();

    /** Returns what a thief steals half with; each thief needs its own. */
    Thief thief();

    /** What a thief keeps from one theft to the next. */
    interface Thief {
        /** Puts what it stole in {@code into}, oldest first, and returns how many items that were. */
        int stealHalf(Item[] into);
    }

    /** Returns the production class as a subject. */
    static DequeSubject of(WorkStealingDeque<Item> deque) {
        return new DequeSubject() {
            @Override
            public boolean push(Item item) {
                return deque.push(item);
            }

            @Override
            public @Nullable Item pop() {
                return deque.pop();
            }

            @Override
            public @Nullable Item steal() {
                return deque.steal();
            }

            @Override
            public Thief thief() {
                var mine = new WorkStealingDeque<Item>(WorkStealingDeque.TRANSFER_MAX, WorkStealingDeque.TRANSFER_MAX);
                return into -> {
                    int count = 0;
                    for (Item item = deque.stealHalfInto(mine); item != null; item = mine.pop()) {
                        into[count++] = item;
                    }
                    return count;
                };
            }
        };
    }
}

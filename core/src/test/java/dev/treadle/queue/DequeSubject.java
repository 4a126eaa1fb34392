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

    /** Owner only. */
    default @Nullable Item popOldest() {
        return steal();
    }

    /** Any thread. */
    @Nullable
    Item steal();

    /** Any thread. Returns what a thief steals half with; each thief needs its own. */
    Thief thief();

    /** What a thief keeps from one theft to the next. */
    interface Thief {
        /** Puts what it stole in {@code into}, oldest first, and returns how many items that were. */
        int stealHalf(Item[] into);
    }
}

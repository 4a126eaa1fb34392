// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import org.jspecify.annotations.Nullable;

/** The deque that a stress test runs: the production class, or a twin of it. */
abstract class DequeUnderTest {
    private static final int DRAIN_MAX = 5;

    /** Makes an empty one, of which a thief takes at most {@code stealMax} items at a time. */
    static DequeUnderTest create(int capacityInitial, int capacityMax, int stealMax) {
        return TwinDeque.isChosen()
                ? new TwinDeque(capacityInitial, capacityMax, stealMax)
                : new Production(capacityInitial, capacityMax, stealMax);
    }

    /** Owner only. */
    abstract boolean push(Item item);

    /** Owner only. */
    abstract @Nullable Item pop();

    abstract @Nullable Item steal();

    /** Takes half; returns the numbers as a decimal, oldest first. */
    abstract int stealHalf();

    /** Owner only: pushes items with these numbers. */
    final void pushAll(int... numbers) {
        for (int number : numbers) {
            if (!push(new Item(number))) {
                throw new IllegalStateException("no room for item " + number);
            }
        }
    }

    /** Owner only, when nobody else is at it: takes what is left, newest first. A broken deque may never be empty. */
    final int drain() {
        int digits = 0;
        Item item = pop();
        for (int i = 0; i < DRAIN_MAX && item != null; i++) {
            digits = Item.append(digits, item);
            item = pop();
        }
        return digits;
    }

    private static final class Production extends DequeUnderTest {
        private final WorkStealingDeque<Item> deque;
        private final WorkStealingDeque<Item> thief = new WorkStealingDeque<>(4, 4);

        Production(int capacityInitial, int capacityMax, int stealMax) {
            deque = new WorkStealingDeque<>(capacityInitial, capacityMax, stealMax, TopWord.INDEX_MASK, 0);
        }

        @Override
        boolean push(Item item) {
            return deque.push(item);
        }

        @Override
        @Nullable
        Item pop() {
            return deque.pop();
        }

        @Override
        @Nullable
        Item steal() {
            return deque.steal();
        }

        @Override
        int stealHalf() {
            int digits = Item.append(0, deque.stealHalfInto(thief));
            for (Item item = thief.pop(); item != null; item = thief.pop()) {
                digits = Item.append(digits, item);
            }
            return digits;
        }
    }
}

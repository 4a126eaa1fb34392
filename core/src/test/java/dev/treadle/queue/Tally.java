// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Counts how often each item of a round was taken; once is right. Any thread may count. */
final class Tally {
    private final AtomicIntegerArray taken;
    private final AtomicInteger misplaced = new AtomicInteger();

    Tally(int items) {
        taken = new AtomicIntegerArray(items);
    }

    void count(Item item) {
        taken.incrementAndGet(item.number());
    }

    /** For an item that is not one of the round, or comes out of order. */
    void countMisplaced() {
        misplaced.incrementAndGet();
    }

    int lost() {
        int lost = 0;
        for (int i = 0; i < taken.length(); i++) {
            lost += taken.get(i) == 0 ? 1 : 0;
        }
        return lost;
    }

    int doubled() {
        int doubled = 0;
        for (int i = 0; i < taken.length(); i++) {
            doubled += taken.get(i) > 1 ? 1 : 0;
        }
        return doubled;
    }

    boolean isRight() {
        return lost() == 0 && doubled() == 0 && misplaced.get() == 0;
    }

    @Override
    public String toString() {
        return "Tally[" + lost() + " lost, " + doubled() + " doubled, " + misplaced + " misplaced of " + taken.length()
                + "]";
    }
}

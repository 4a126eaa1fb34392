// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static dev.treadle.queue.TopWord.add;
import static dev.treadle.queue.TopWord.advanced;
import static dev.treadle.queue.TopWord.distance;
import static dev.treadle.queue.TopWord.index;
import static dev.treadle.queue.TopWord.renewed;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of {@link WorkStealingDeque} without growth and clearing, and with a fault on demand.
 * A test that does not find the fault is no test of the production class.
 */
final class FaultyDeque implements DequeSubject {
    /** What is wrong. */
    enum Fault {
        /** Nothing: whoever finds a fault here is at fault. */
        NONE,
        /** The textbook's deque: the owner uses CAS for the last item only. */
        POPS_WITHOUT_CAS,
        /** The owner's store of bottom may be seen after it has read top again. */
        POPS_WITHOUT_FENCE,
        /** The owner's CAS does not change the word, so thieves that read it before do not fail. */
        KEEPS_TAG,
        /** The owner does not look whether its item is gone before its CAS. */
        POPS_WHAT_IS_GONE,
        /** A thief takes an old bottom for the end of what is above a new top. */
        READS_BOTTOM_BEFORE_TOP
    }

    static final int STEAL_MAX = 2;

    private final Fault fault;
    private final AtomicReferenceArray<Item> slots;
    private final AtomicLong top = new AtomicLong();
    private final AtomicInteger bottom = new AtomicInteger();

    FaultyDeque(Fault fault, int capacity) {
        this.fault = fault;
        this.slots = new AtomicReferenceArray<>(capacity);
    }

    @Override
    public boolean push(Item item) {
        int bottom = this.bottom.get();
        if (distance(index(top.get()), bottom) == slots.length()) {
            return false;
        }
        slots.setRelease(bottom % slots.length(), item);
        this.bottom.setRelease(add(bottom, 1));
        return true;
    }

    @Override
    public @Nullable Item pop() {
        int bottom = this.bottom.get();
        if (index(top.get()) == bottom) {
            return null;
        }
        int index = add(bottom, -1);
        if (fault == Fault.POPS_WITHOUT_FENCE) {
            this.bottom.setRelease(index);
        } else {
            this.bottom.set(index);
        }
        long word = top.get();
        if (distance(index(word), index) >= (fault == Fault.POPS_WITHOUT_CAS ? 1 : STEAL_MAX)) {
            return slots.get(index % slots.length());
        }
        boolean gone = index(word) == bottom && fault != Fault.POPS_WHAT_IS_GONE;
        while (!gone) {
            if (top.compareAndSet(word, fault == Fault.KEEPS_TAG ? word : renewed(word))) {
                return slots.get(index % slots.length());
            }
            word = top.get();
            gone = index(word) == bottom;
        }
        this.bottom.set(bottom);
        return null;
    }

    @Override
    public @Nullable Item steal() {
        var item = new Item[1];
        return steal(item, 1) == 0 ? null : item[0];
    }

    @Override
    public Thief thief() {
        return into -> steal(into, STEAL_MAX);
    }

    private int steal(Item[] into, int countMax) {
        for (; ; ) {
            int early = bottom.get();
            long word = top.get();
            int size = distance(index(word), fault == Fault.READS_BOTTOM_BEFORE_TOP ? early : bottom.get());
            if (size <= 0) {
                return 0;
            }
            int count = Math.min((size + 1) / 2, countMax);
            for (int i = 0; i < count; i++) {
                into[i] = slots.get(add(index(word), i) % slots.length());
            }
            if (top.compareAndSet(word, advanced(word, count))) {
                return count;
            }
        }
    }
}

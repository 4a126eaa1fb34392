// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static dev.treadle.queue.TopWord.add;
import static dev.treadle.queue.TopWord.advanced;
import static dev.treadle.queue.TopWord.distance;
import static dev.treadle.queue.TopWord.index;
import static dev.treadle.queue.TopWord.renewed;

import dev.treadle.verification.Twin;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The algorithm of {@link WorkStealingDeque} in short, with the fault of the twin that is chosen. */
final class TwinDeque extends DequeUnderTest {
    private final int capacityMax;
    private final int stealMax;
    private final AtomicLong top = new AtomicLong();
    private final AtomicInteger bottom = new AtomicInteger();
    private volatile AtomicReferenceArray<@Nullable Item> slots;

    TwinDeque(int capacityInitial, int capacityMax, int stealMax) {
        this.capacityMax = capacityMax;
        this.stealMax = stealMax;
        this.slots = new AtomicReferenceArray<>(capacityInitial);
    }

    static boolean isChosen() {
        return Twin.DEQUE_PUSHES_BOTTOM_FIRST.isChosen()
                || Twin.DEQUE_POPS_LAST_WITHOUT_CAS.isChosen()
                || Twin.DEQUE_POPS_WITHOUT_FENCE.isChosen()
                || Twin.DEQUE_TEXTBOOK_HALF.isChosen()
                || Twin.DEQUE_COPIES_LATE.isChosen()
                || Twin.DEQUE_PUBLISHES_SLOTS_FIRST.isChosen();
    }

    @Override
    boolean push(Item item) {
        int bottom = this.bottom.getPlain();
        int size = distance(index(top.getAcquire()), bottom);
        if (size == slots.length()) {
            if (size == capacityMax) {
                return false;
            }
            grow(bottom);
        }
        if (Twin.DEQUE_PUSHES_BOTTOM_FIRST.isChosen()) {
            this.bottom.setRelease(add(bottom, 1));
            slots.setOpaque(bottom % slots.length(), item);
        } else {
            slots.setPlain(bottom % slots.length(), item);
            this.bottom.setRelease(add(bottom, 1));
        }
        return true;
    }

    private void grow(int bottom) {
        AtomicReferenceArray<@Nullable Item> from = slots;
        var to = new AtomicReferenceArray<@Nullable Item>(2 * from.length());
        if (Twin.DEQUE_PUBLISHES_SLOTS_FIRST.isChosen()) {
            slots = to;
        }
        for (int i = index(top.get()); i != bottom; i = add(i, 1)) {
            to.setOpaque(i % to.length(), from.getOpaque(i % from.length()));
        }
        slots = to;
    }

    @Override
    @Nullable
    Item pop() {
        int bottom = this.bottom.getPlain();
        if (index(top.getOpaque()) == bottom) {
            return null;
        }
        int index = add(bottom, -1);
        if (Twin.DEQUE_POPS_WITHOUT_FENCE.isChosen()) {
            this.bottom.setRelease(index);
        } else {
            this.bottom.set(index);
        }
        long word = top.get();
        if (distance(index(word), index) >= (Twin.DEQUE_TEXTBOOK_HALF.isChosen() ? 1 : stealMax)) {
            return slots.get(index % slots.length());
        }
        while (index(word) != bottom) {
            if (Twin.DEQUE_POPS_LAST_WITHOUT_CAS.isChosen() || top.compareAndSet(word, renewed(word))) {
                return slots.get(index % slots.length());
            }
            word = top.get();
        }
        this.bottom.set(bottom);
        return null;
    }

    @Override
    @Nullable
    Item steal() {
        while (true) {
            long word = top.get();
            if (distance(index(word), bottom.get()) <= 0) {
                return null;
            }
            Item item = slots.getOpaque(index(word) % slots.length());
            if (top.compareAndSet(word, advanced(word, 1))) {
                return Twin.DEQUE_COPIES_LATE.isChosen() ? slots.getOpaque(index(word) % slots.length()) : item;
            }
        }
    }

    @Override
    int stealHalf() {
        while (true) {
            long word = top.get();
            int size = distance(index(word), bottom.get());
            if (size <= 0) {
                return 0;
            }
            int count = Math.min((size + 1) / 2, stealMax);
            int digits = 0;
            for (int i = 0; i < count; i++) {
                digits = Item.append(digits, slots.getOpaque(add(index(word), i) % slots.length()));
            }
            if (top.compareAndSet(word, advanced(word, count))) {
                return digits;
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of {@link GlobalQueue} with a single segment, and with a fault on demand. A test that does not find the
 * fault is no test of the production class.
 */
final class FaultyGlobalQueue {
    /** What is wrong. */
    enum Fault {
        /** Nothing: whoever finds a fault here is at fault. */
        NONE,
        /** A pop that comes before the push does not burn the slot, so the push puts its item where nobody looks. */
        LEAVES_SLOT,
        /** A pop claims its slot without CAS. */
        CLAIMS_WITHOUT_CAS,
        /** A pop takes an old count of pushes and a new count of pops for an empty queue. */
        READS_PUSHED_BEFORE_POPPED
    }

    private static final Item TAKEN = new Item(-1);

    private final Fault fault;
    private final AtomicReferenceArray<@Nullable Item> slots;
    private final AtomicInteger pushed = new AtomicInteger();
    private final AtomicInteger popped = new AtomicInteger();

    FaultyGlobalQueue(Fault fault, int slots) {
        this.fault = fault;
        this.slots = new AtomicReferenceArray<>(slots);
    }

    void push(Item item) {
        while (!slots.compareAndSet(pushed.getAndIncrement(), null, item)) {
            // burnt
        }
    }

    @Nullable
    Item pop() {
        for (; ; ) {
            int early = pushed.get();
            int index = popped.get();
            int limit = fault == Fault.READS_PUSHED_BEFORE_POPPED ? early : pushed.get();
            if (index >= limit) {
                return null;
            }
            if (claim(index)) {
                Item item = fault == Fault.LEAVES_SLOT ? slots.get(index) : slots.getAndSet(index, TAKEN);
                if (item != null) {
                    return item;
                }
            }
        }
    }

    private boolean claim(int index) {
        if (fault == Fault.CLAIMS_WITHOUT_CAS) {
            popped.set(index + 1);
            return true;
        }
        return popped.compareAndSet(index, index + 1);
    }
}

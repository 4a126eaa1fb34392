// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import dev.treadle.verification.Twin;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A push and a pop against a pop, with segments of one slot: each push after the first starts a segment.
 *
 * <p>Results: what the first thread took, what the second took, what is left. Covers the first slot of a segment, which is
 * stored plainly before the segment is linked.
 */
@JCStressTest
@Outcome(id = "1, 2, 0", expect = Expect.ACCEPTABLE, desc = "one each, the first was faster")
@Outcome(id = "2, 1, 0", expect = Expect.ACCEPTABLE, desc = "one each, the second was faster")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled, torn, or said to be empty")
@State
public class GlobalQueueStress {
    private final Queue queue = Twin.GLOBAL_POPS_WITHOUT_CAS.isChosen() ? new TwinQueue() : new Production();

    public GlobalQueueStress() {
        queue.push(new Item(1));
    }

    @Actor
    public void pusher(III_Result result) {
        queue.push(new Item(2));
        result.r1 = Item.append(0, queue.pop());
    }

    @Actor
    public void popper(III_Result result) {
        result.r2 = Item.append(0, queue.pop());
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = Item.append(0, queue.pop());
    }

    private interface Queue {
        void push(Item item);

        @Nullable
        Item pop();
    }

    private static final class Production implements Queue {
        private final GlobalQueue<Item> queue = new GlobalQueue<>(1, 0);

        @Override
        public void push(Item item) {
            queue.push(item);
        }

        @Override
        public @Nullable Item pop() {
            return queue.pop();
        }
    }

    /** Two slots, no segments. */
    private static final class TwinQueue implements Queue {
        private final AtomicReferenceArray<@Nullable Item> slots = new AtomicReferenceArray<>(2);
        private final AtomicInteger pushed = new AtomicInteger();
        private final AtomicInteger popped = new AtomicInteger();

        @Override
        public void push(Item item) {
            int index = pushed.get();
            slots.set(index, item);
            pushed.set(index + 1);
        }

        @Override
        public @Nullable Item pop() {
            int index = popped.get();
            if (index == pushed.get()) {
                return null;
            }
            popped.set(index + 1);
            return slots.get(index);
        }
    }
}

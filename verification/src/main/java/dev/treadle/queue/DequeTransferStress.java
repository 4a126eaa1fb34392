// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A batch that the owner takes from the global queue against a theft from its deque.
 *
 * <p>Results: what the owner took to run at once, what the thief took, what is left. Covers the release of {@code bottom}
 * in acceptScratch, which publishes several plain stores of slots at once. Its twin is that of {@link DequeEmptyStress}:
 * the same two stores, one item more.
 */
@JCStressTest
@Outcome(id = "1, 0, 23", expect = Expect.ACCEPTABLE, desc = "the thief came too early")
@Outcome(id = "1, 3, 2", expect = Expect.ACCEPTABLE, desc = "the thief took the newest, which lies on top")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class DequeTransferStress {
    private final GlobalQueue<Item> global = new GlobalQueue<>(2, 1);
    private final WorkStealingDeque<Item> deque = new WorkStealingDeque<>(4, 4, 1, 0, 0);

    public DequeTransferStress() {
        for (int number = 1; number <= 3; number++) {
            global.push(new Item(number));
        }
    }

    @Actor
    public void owner(III_Result result) {
        result.r1 = Item.append(0, global.popBatchInto(deque, 2));
    }

    @Actor
    public void thief(III_Result result) {
        result.r2 = Item.append(0, deque.steal());
    }

    @Arbiter
    public void rest(III_Result result) {
        int first = Item.append(0, deque.pop());
        result.r3 = Item.append(first, deque.pop());
    }
}

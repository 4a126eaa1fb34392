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
 * A push that has to grow against a theft: the thief finds its item in the old array or in the new one.
 *
 * <p>Results: what the thief took, what is left. Covers the opaque reads of slots while the array is replaced.
 */
@JCStressTest
@Outcome(id = "1, 2, 0", expect = Expect.ACCEPTABLE, desc = "the thief took the older item")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class DequeGrowthStress {
    private final DequeUnderTest deque = DequeUnderTest.create(1, 4, 1);

    public DequeGrowthStress() {
        deque.pushAll(1);
    }

    @Actor
    public void owner() {
        deque.push(new Item(2));
    }

    @Actor
    public void thief(III_Result result) {
        result.r1 = Item.append(0, deque.steal());
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r2 = deque.drain();
    }
}

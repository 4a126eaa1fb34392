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
 * Size 4, with thieves that take two items at a time: three pops against one theft of half. This is where the textbook's
 * deque runs an item twice.
 *
 * <p>Results: what the owner took, what the thief took, what is left.
 */
@JCStressTest
@Outcome(id = "432, 1, 0", expect = Expect.ACCEPTABLE, desc = "the thief looked when one or two were left")
@Outcome(id = "43, 12, 0", expect = Expect.ACCEPTABLE, desc = "the thief looked when three or four were there")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class DequeHalfStress {
    private final DequeUnderTest deque = DequeUnderTest.create(4, 4, 2);

    public DequeHalfStress() {
        deque.pushAll(1, 2, 3, 4);
    }

    @Actor
    public void owner(III_Result result) {
        int digits = Item.append(0, deque.pop());
        digits = Item.append(digits, deque.pop());
        result.r1 = Item.append(digits, deque.pop());
    }

    @Actor
    public void thief(III_Result result) {
        result.r2 = deque.stealHalf();
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = deque.drain();
    }
}

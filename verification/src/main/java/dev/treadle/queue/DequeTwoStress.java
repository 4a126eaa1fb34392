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
 * Size 2, with thieves that take one item at a time: a pop against two thefts. The pop uses no compare-and-set, only the
 * full fence.
 *
 * <p>Results: what the owner took, what the thief took, what is left.
 */
@JCStressTest
@Outcome(id = "2, 1, 0", expect = Expect.ACCEPTABLE, desc = "one each")
@Outcome(id = "0, 12, 0", expect = Expect.ACCEPTABLE, desc = "the thief took both")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class DequeTwoStress {
    private final DequeUnderTest deque = DequeUnderTest.create(2, 2, 1);

    public DequeTwoStress() {
        deque.pushAll(1, 2);
    }

    @Actor
    public void owner(III_Result result) {
        result.r1 = Item.append(0, deque.pop());
    }

    @Actor
    public void thief(III_Result result) {
        int first = Item.append(0, deque.steal());
        result.r2 = Item.append(first, deque.steal());
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = deque.drain();
    }
}

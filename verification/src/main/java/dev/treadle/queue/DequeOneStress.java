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
 * Size 1: a pop against a theft. One of them gets the item.
 *
 * <p>Results: what the owner took, what the thief took, what is left. Covers the release of {@code bottom} before the
 * compare-and-set in pop, and the opaque first look at {@code top}.
 */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the owner took it")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "the thief took it")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class DequeOneStress {
    private final DequeUnderTest deque = DequeUnderTest.create(2, 2, 2);

    public DequeOneStress() {
        deque.pushAll(1);
    }

    @Actor
    public void owner(III_Result result) {
        result.r1 = Item.append(0, deque.pop());
    }

    @Actor
    public void thief(III_Result result) {
        result.r2 = Item.append(0, deque.steal());
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = deque.drain();
    }
}

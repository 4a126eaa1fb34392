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
 * Size 0: a push against a theft. The thief gets nothing, or an item that is whole.
 *
 * <p>Results: what the thief took, what is left. Covers the release of {@code bottom} and the plain store of the slot.
 */
@JCStressTest
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "the thief came too early")
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the thief took it")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class DequeEmptyStress {
    private final DequeUnderTest deque = DequeUnderTest.create(2, 2, 1);

    @Actor
    public void owner() {
        deque.push(new Item(1));
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

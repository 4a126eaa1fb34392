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
 * A full deque of one slot that cannot grow: a theft against a push that reuses the slot.
 *
 * <p>Results: what the thief took, whether the push found room (1), what is left. Covers the acquire of {@code top} in
 * push: the thief has copied the slot before the owner writes to it.
 */
@JCStressTest
@Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "the slot was reused")
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the push found no room")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class DequeReuseStress {
    private final DequeUnderTest deque = DequeUnderTest.create(1, 1, 1);

    public DequeReuseStress() {
        deque.pushAll(1);
    }

    @Actor
    public void owner(III_Result result) {
        result.r2 = deque.push(new Item(2)) ? 1 : 0;
    }

    @Actor
    public void thief(III_Result result) {
        result.r1 = Item.append(0, deque.steal());
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = deque.drain();
    }
}

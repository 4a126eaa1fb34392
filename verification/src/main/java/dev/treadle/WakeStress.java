// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.queue.WorkStealingDeque;
import dev.treadle.verification.Twin;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Work is made while a worker goes to sleep: the maker wakes the sleeper, or the sleeper sees the work.
 *
 * <p>Results: 1 if the maker found the sleeper, 1 if the sleeper found the work. The rule of {@link Sleepers} with its
 * production class and the production deque, whose push is the weakest store that the rule is used with.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the maker woke the sleeper")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the sleeper saw the work")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost wake-up")
@State
public class WakeStress {
    private final Sleepers sleepers = new Sleepers(1, 1);
    private final WorkStealingDeque<Object> deque = new WorkStealingDeque<>(2, 2);

    @Actor
    public void maker(II_Result result) {
        deque.push(this);
        if (!Twin.WAKE_WITHOUT_FENCE.isChosen()) {
            VarHandle.fullFence(); // as in WorkerGroup.signalWork, which WakeInGroupStress runs
        }
        result.r1 = sleepers.claim() == Sleepers.NOBODY ? 0 : 1;
    }

    @Actor
    public void sleeper(II_Result result) {
        if (Twin.WAKE_LOOKS_BEFORE_ANNOUNCING.isChosen()) {
            result.r2 = deque.isEmpty() ? 0 : 1;
            sleepers.announce(0, false);
        } else {
            sleepers.announce(0, false);
            result.r2 = deque.isEmpty() ? 0 : 1;
        }
    }
}

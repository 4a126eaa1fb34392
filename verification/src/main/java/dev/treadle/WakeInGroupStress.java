// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Like {@link WakeStress}, through the code that runs in production: a worker pushes a process to its deque and signals, another
 * one announces its sleep and looks at all queues.
 *
 * <p>Results: 1 if the sleeper was unparked, 1 if the sleeper found the work. There is no twin of this whole path: its parts
 * have theirs in WakeStress.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the maker woke the sleeper")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the sleeper saw the work")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost wake-up")
@State
public class WakeInGroupStress {
    private final AtomicInteger unparks = new AtomicInteger();
    private final WorkerGroup group = Cells.schedulerWith(2, unparks).group;
    private final ProcessCell cell = Cells.make();

    @Actor
    public void maker(II_Result result) {
        group.workers()[0].wake(cell);
        result.r1 = unparks.get();
    }

    @Actor
    public void sleeper(II_Result result) {
        group.sleepers.announce(1, false);
        result.r2 = group.hasWork() ? 1 : 0;
    }
}

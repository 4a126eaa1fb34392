// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The watchdog believes in a turn that has ended without a sleep; the owner is at the end of the next one, of another
 * process, which sleeps, and takes what is in its next slot without compare-and-set. One of them gets it, whole.
 *
 * <p>Results: what the owner got, what the watchdog got, what is left; 1 for the process, 9 for one that is not whole. Covers
 * the fence that the owner owes. There is no twin: on x86 each compare-and-set is a full fence.
 */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the owner got it")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "the watchdog got it")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class NextSlotOtherTurnStress {
    private final EventQueue first = new EventQueue();
    private final EventQueue second = new EventQueue();
    private final NextSlot slot = new NextSlot();
    private final ProcessCell cell = Cells.make();

    public NextSlotOtherTurnStress() {
        if (!first.open() || !second.open()) {
            throw new AssertionError("cannot be opened");
        }
    }

    @Actor
    public void owner(III_Result result) {
        slot.oweFence();
        ProcessCell early = slot.takeAfterTurn(false); // the turn of the first, which stays ready
        cell.probe = 1;
        slot.put(cell);
        slot.leave(2);
        if (second.sleep(ProcessState.IDLE)) {
            result.r1 = seen(early) + seen(slot.takeAfterTurn(true));
        }
    }

    @Actor
    public void watchdog(III_Result result) {
        result.r2 = seen(slot.takeWhileIn(1, first));
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = seen(slot.take());
    }

    private static int seen(@Nullable ProcessCell cell) {
        return cell == null ? 0 : cell.probe == 1 ? 1 : 9;
    }
}

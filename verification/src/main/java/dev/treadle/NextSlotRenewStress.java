// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The owner ends a turn with the sleep of its process, renews its next slot and takes what is in there without
 * compare-and-set, while the watchdog believes that it is held up in that turn, and has the old slot or the young one. One of
 * them gets it, whole.
 *
 * <p>Results: what the owner got, what the watchdog got, what is left; 1 for the process, 9 for one that is not whole.
 */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the owner got it")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "the watchdog got it")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class NextSlotRenewStress {
    private static final long TURN = 1;

    private final EventQueue running = new EventQueue();
    private final ProcessCell cell = Cells.make();
    private volatile NextSlot next = new NextSlot();

    public NextSlotRenewStress() {
        if (!running.open()) {
            throw new AssertionError("cannot be opened");
        }
    }

    @Actor
    public void owner(III_Result result) {
        NextSlot old = next;
        cell.probe = 1;
        old.put(cell);
        old.leave(TURN);
        if (running.sleep(ProcessState.IDLE)) {
            NextSlot young = Twin.NEXT_SLOT_RENEWED_UNLEFT.isChosen() ? renewedUnleft(old) : old.renewed(TURN);
            next = young;
            result.r1 = seen(young.takeAfterTurn(true));
        }
    }

    /** The young one does not say that the turn has been left. */
    private static NextSlot renewedUnleft(NextSlot old) {
        var young = new NextSlot();
        ProcessCell waiting = old.take();
        if (waiting != null) {
            young.put(waiting);
        }
        return young;
    }

    @Actor
    public void watchdog(III_Result result) {
        result.r2 = seen(next.takeWhileIn(TURN, running));
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = seen(next.take());
    }

    private static int seen(@Nullable ProcessCell cell) {
        return cell == null ? 0 : cell.probe == 1 ? 1 : 9;
    }
}

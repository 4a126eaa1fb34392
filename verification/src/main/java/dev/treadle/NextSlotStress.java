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
 * The owner puts a process in its next slot and takes it out again, while the watchdog takes it. One of them gets it, whole.
 *
 * <p>Results: what the owner got, what the watchdog got, what is left; 1 for the process, 9 for one that is not whole. Covers
 * the release in put.
 */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the owner got it")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "the watchdog got it")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class NextSlotStress {
    private final Slot slot = Twin.NEXT_SLOT_WITHOUT_CAS.isChosen() ? new TwinSlot() : new Production();
    private final ProcessCell cell = Cells.make();

    @Actor
    public void owner(III_Result result) {
        cell.probe = 1;
        slot.put(cell);
        result.r1 = seen(slot.take());
    }

    @Actor
    public void watchdog(III_Result result) {
        result.r2 = seen(slot.take());
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = seen(slot.take());
    }

    private static int seen(@Nullable ProcessCell cell) {
        return cell == null ? 0 : cell.probe == 1 ? 1 : 9;
    }

    private interface Slot {
        void put(ProcessCell cell);

        @Nullable
        ProcessCell take();
    }

    private static final class Production implements Slot {
        private final NextSlot slot = new NextSlot();

        @Override
        public void put(ProcessCell cell) {
            slot.put(cell);
        }

        @Override
        public @Nullable ProcessCell take() {
            return slot.take();
        }
    }

    private static final class TwinSlot implements Slot {
        private volatile @Nullable ProcessCell cell;

        @Override
        public void put(ProcessCell cell) {
            this.cell = cell;
        }

        @Override
        public @Nullable ProcessCell take() {
            ProcessCell taken = cell;
            cell = null;
            return taken;
        }
    }
}

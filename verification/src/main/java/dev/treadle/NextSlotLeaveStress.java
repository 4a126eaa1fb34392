// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The owner ends a turn with the sleep of its process and takes what is in its next slot without compare-and-set, while the
 * watchdog believes that it is held up in that turn. One of them gets it, whole.
 *
 * <p>Results: what the owner got, what the watchdog got, what is left; 1 for the process, 9 for one that is not whole.
 */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the owner got it")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "the watchdog got it")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, doubled or torn")
@State
public class NextSlotLeaveStress {
    private static final long TURN = 1;

    private final EventQueue running = new EventQueue();
    private final Slot slot = Twin.NEXT_SLOT_CLAIMED_UNSEEN.isChosen() ? new TwinSlot() : new Production();
    private final ProcessCell cell = Cells.make();

    public NextSlotLeaveStress() {
        if (!running.open()) {
            throw new AssertionError("cannot be opened");
        }
    }

    @Actor
    public void owner(III_Result result) {
        cell.probe = 1;
        slot.put(cell);
        slot.leave(TURN);
        if (running.sleep(ProcessState.IDLE)) {
            result.r1 = seen(slot.takeAfterTurn(true));
        }
    }

    @Actor
    public void watchdog(III_Result result) {
        result.r2 = seen(slot.takeWhileIn(TURN, running));
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

        void leave(long turn);

        @Nullable
        ProcessCell takeAfterTurn(boolean slept);

        @Nullable
        ProcessCell takeWhileIn(long turn, EventQueue running);

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
        public void leave(long turn) {
            slot.leave(turn);
        }

        @Override
        public @Nullable ProcessCell takeAfterTurn(boolean slept) {
            return slot.takeAfterTurn(slept);
        }

        @Override
        public @Nullable ProcessCell takeWhileIn(long turn, EventQueue running) {
            return slot.takeWhileIn(turn, running);
        }

        @Override
        public @Nullable ProcessCell take() {
            return slot.take();
        }
    }

    /** Claims, and looks at once whether the owner has left: the owner may not see the claim in time. */
    private static final class TwinSlot implements Slot {
        private final AtomicReference<@Nullable ProcessCell> cell = new AtomicReference<>();
        private final AtomicLong left = new AtomicLong();
        private final AtomicBoolean claimed = new AtomicBoolean();

        @Override
        public void put(ProcessCell cell) {
            this.cell.setRelease(cell);
        }

        @Override
        public void leave(long turn) {
            left.setOpaque(turn);
        }

        @Override
        public @Nullable ProcessCell takeAfterTurn(boolean slept) {
            if (claimed.getAcquire()) {
                return take();
            }
            ProcessCell ready = cell.getPlain();
            cell.setOpaque(null);
            return ready;
        }

        @Override
        public @Nullable ProcessCell takeWhileIn(long turn, EventQueue running) {
            claimed.setOpaque(true);
            ProcessCell taken = left.getAcquire() >= turn ? null : take();
            claimed.setRelease(false);
            return taken;
        }

        @Override
        public @Nullable ProcessCell take() {
            return cell.getAndSet(null);
        }
    }
}

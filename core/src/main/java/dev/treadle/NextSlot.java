// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Room for one process in front of a worker's deque: the one that its present step woke first, which runs next. A hand-off
 * from one process to another then touches no queue and wakes no other worker.
 */
sealed class NextSlot extends Padding {
    /*
     * The owner alone puts a process in, and only into an empty slot. The owner takes it out, or the watchdog does while
     * the owner is held up in a turn. Whoever takes with compare-and-set is safe from the other. That costs as much as
     * all else in a hand-off, so the owner does without after a turn that ended with the sleep of its process:
     *
     *   owner, at the end of turn t of p      watchdog, who saw turn t of p
     *     left = t                              claimed = true
     *     compare-and-set of p's queue          compare-and-set of p's queue, which changes nothing; a full fence
     *     claimed? take with compare-and-set    left >= t? leave it
     *     else read and clear                   else take with compare-and-set
     *                                           claimed = false
     *
     * Both compare-and-sets are of one word, so one comes first, and the other sees what was written before it. If it is
     * the owner's, the watchdog sees left and leaves the slot alone. If it is the watchdog's, the owner sees claimed; or it
     * sees that claimed is false again, and then also that the slot is empty.
     *
     * A turn that ends in another way has no such compare-and-set: the owner takes with one of the slot. And the watchdog
     * may still believe in that turn when the owner has gone on. So the owner owes a full fence (fenceDue) before it takes
     * without compare-and-set again, in a later turn u that it has left. Of the two fences one comes first: the watchdog
     * sees left >= u, or the owner sees claimed.
     *
     * One that takes the place of another, between two turns, begins with the number of the last one, so that a watchdog which
     * believes in that or an earlier one leaves it alone; and it owes a fence. The old one is emptied with compare-and-set, and
     * nothing is put in there again: a watchdog that still has it may take what is there before that, or finds nothing.
     *
     * putRelease pairs with the volatile read in take(): the watchdog sees a whole process. For the owner it is its
     * own write. NextSlotStress, NextSlotLeaveStress and the benchmark of a local hop guard these modes.
     */
    private static final VarHandle CELL =
            fieldVarHandle(MethodHandles.lookup(), "cell", VarHandle.class, NextSlot.class, ProcessCell.class);
    private static final VarHandle LEFT =
            fieldVarHandle(MethodHandles.lookup(), "left", VarHandle.class, NextSlot.class, long.class);
    private static final VarHandle CLAIMED =
            fieldVarHandle(MethodHandles.lookup(), "claimed", VarHandle.class, NextSlot.class, boolean.class);

    private @Nullable ProcessCell cell;

    /** The last turn of the owner that was about to end with a sleep. */
    private long left;

    /** Whether the watchdog may be taking. */
    private boolean claimed;

    /** The owner's: whether a turn has ended without a sleep since the last fence. */
    private boolean fenceDue;

    /** Exact for the owner; for others as of some moment. */
    boolean isEmpty() {
        return (ProcessCell) CELL.getOpaque(this) == null;
    }

    /** Owner only, if it is empty. */
    void put(ProcessCell ready) {
        assert isEmpty() : "two processes for one slot";
        CELL.setRelease(this, ready); // pairs with the read in take()
    }

    /** Owner and watchdog; and whoever shuts down, when the worker has ended. */
    @Nullable
    ProcessCell take() {
        ProcessCell ready = (ProcessCell) CELL.getVolatile(this);
        return ready != null && CELL.compareAndSet(this, ready, null) ? ready : null;
    }

    /** Owner only, when a turn is over, right before the compare-and-set that may put its process to sleep. */
    void leave(long turn) {
        LEFT.setOpaque(this, turn); // published by that compare-and-set
    }

    /** Owner only, after a turn that did not end with the sleep that followed {@link #leave}: it owes a fence. */
    void oweFence() {
        fenceDue = true;
    }

    /**
     * Owner only, between two turns. After one without a sleep, {@link #oweFence} comes first.
     *
     * @param slept whether the last one ended with the sleep that followed {@link #leave}
     */
    @Nullable
    ProcessCell takeAfterTurn(boolean slept) {
        if (!slept) {
            return take();
        }
        if (fenceDue) {
            VarHandle.fullFence(); // pairs with that in takeWhileIn()
            fenceDue = false;
        }
        if ((boolean) CLAIMED.getAcquire(this)) {
            return take();
        }
        ProcessCell ready = cell;
        if (ready != null) {
            CELL.setOpaque(this, null);
        }
        return ready;
    }

    /** Owner only, between two turns, that one being the last: a young slot in place of this one, with what is in here. */
    NextSlot renewed(long turn) {
        var young = new Padded(); // first: memory may run out, and the process would be in neither
        young.leave(turn);
        young.oweFence();
        ProcessCell waiting = take();
        if (waiting != null) {
            young.put(waiting);
        }
        return young;
    }

    /** Watchdog only: takes what would run next if the owner is still in that turn of that process. */
    @Nullable
    ProcessCell takeWhileIn(long turn, EventQueue running) {
        CLAIMED.setOpaque(this, true);
        running.touch(); // pairs with the sleep after leave()
        VarHandle.fullFence(); // pairs with that in takeAfterTurn()
        ProcessCell taken = (long) LEFT.getAcquire(this) >= turn ? null : take();
        CLAIMED.setRelease(this, false); // pairs with takeAfterTurn(), which then sees the slot empty
        return taken;
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends NextSlot {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;
    }
}

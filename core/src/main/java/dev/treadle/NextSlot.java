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
     * The owner alone puts a process in, and only into an empty slot. The owner takes it out, or the watchdog does when
     * the owner is held up in a step; both by compare-and-set, so one of them gets it.
     *
     * putRelease pairs with the volatile read in take(): the watchdog sees a whole process. For the owner it is its
     * own write. NextSlotStress and the benchmark of a local hop guard this mode.
     */
    private static final VarHandle CELL =
            fieldVarHandle(MethodHandles.lookup(), "cell", VarHandle.class, NextSlot.class, ProcessCell.class);

    private @Nullable ProcessCell cell;

    /** Exact for the owner; for others as of some moment. */
    boolean isEmpty() {
        return (ProcessCell) CELL.getOpaque(this) == null;
    }

    /** Owner only, if it is empty. */
    void put(ProcessCell ready) {
        assert isEmpty() : "two processes for one slot";
        CELL.setRelease(this, ready); // pairs with the read in take()
    }

    /** Owner and watchdog. */
    @Nullable
    ProcessCell take() {
        ProcessCell ready = (ProcessCell) CELL.getVolatile(this);
        return ready != null && CELL.compareAndSet(this, ready, null) ? ready : null;
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends NextSlot {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;
    }
}

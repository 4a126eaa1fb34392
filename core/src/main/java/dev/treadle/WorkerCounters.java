// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one worker counts. The worker writes with plain stores, which is all that a hot path can afford; others read a
 * value that is at most a moment old.
 */
sealed class WorkerCounters extends Padding {
    private static final VarHandle STEPS = handle("steps");
    private static final VarHandle EVENTS = handle("events");
    private static final VarHandle MESSAGES_SENT = handle("messagesSent");
    private static final VarHandle YIELDS = handle("yields");
    private static final VarHandle STEALS_TRIED = handle("stealsTried");
    private static final VarHandle STEALS_WON = handle("stealsWon");
    private static final VarHandle ITEMS_STOLEN = handle("itemsStolen");
    private static final VarHandle PARKS = handle("parks");
    private static final VarHandle WAKE_UPS_USEFUL = handle("wakeUpsUseful");
    private static final VarHandle WAKE_UPS_IN_VAIN = handle("wakeUpsInVain");
    private static final VarHandle SUBMITTED = handle("submitted");
    private static final VarHandle COMPLETED = handle("completed");

    long steps;
    long events;
    long messagesSent;
    long yields;
    long stealsTried;
    long stealsWon;
    long itemsStolen;
    long parks;
    long wakeUpsUseful;
    long wakeUpsInVain;
    long submitted;
    long completed;

    private static VarHandle handle(String field) {
        return fieldVarHandle(MethodHandles.lookup(), field, VarHandle.class, WorkerCounters.class, long.class);
    }

    /** Any thread. */
    WorkerStats stats(int index, int queueLength) {
        return new WorkerStats(
                index,
                (long) STEPS.getOpaque(this),
                (long) EVENTS.getOpaque(this),
                (long) MESSAGES_SENT.getOpaque(this),
                (long) YIELDS.getOpaque(this),
                (long) STEALS_TRIED.getOpaque(this),
                (long) STEALS_WON.getOpaque(this),
                (long) ITEMS_STOLEN.getOpaque(this),
                (long) PARKS.getOpaque(this),
                (long) WAKE_UPS_USEFUL.getOpaque(this),
                (long) WAKE_UPS_IN_VAIN.getOpaque(this),
                queueLength);
    }

    /** Any thread. */
    long submitted() {
        return (long) SUBMITTED.getOpaque(this);
    }

    /** Any thread. */
    long completed() {
        return (long) COMPLETED.getOpaque(this);
    }

    /** Any thread. */
    long steps() {
        return (long) STEPS.getOpaque(this);
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends WorkerCounters {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;
    }
}

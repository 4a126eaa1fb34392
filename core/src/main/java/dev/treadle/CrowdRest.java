// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Whether a worker that has nothing else to run lets those rest that fill a crowded mailbox, while its owner is at another
 * worker and about to empty it. The worker's own, but for what thieves ask.
 */
final class CrowdRest {
    /*
     * Messages that one processor makes and another takes cost several times as much as those that stay on one, and if they
     * are made faster than they are taken, the collector copies all that wait. So the second processor makes it slower. A
     * worker that is left with such senders waits until the receiver has slept for some looks, or REST_NANOS_MAX have passed,
     * before it runs one of them. Meanwhile the worker that runs the receiver may take them over as soon as it is out of work.
     * That worker has senders of its own, which wait behind all others; at a look it lets one of them run, no more often than
     * the others do. Otherwise both together send more in the time of a look than the receiver takes, once its mailbox is too
     * long for the caches, and it grows without end.
     *
     * The receiver is known from the last message that this worker sent to a crowded mailbox. That is a hint: those that wait
     * may have sent to others. A receiver that this worker ran last may be among those that wait here, and is not waited for.
     *
     * Thieves read receiver and on without care: whatever they see, they take with the compare-and-set of the deque.
     */

    /**
     * The longest rest before one of them runs. Five looks: with one, a turn that sends a thousand messages from another
     * processor keeps the receiver busy until the next, and the senders beside it never run.
     */
    static final long REST_NANOS_MAX = 5 * WorkerQueues.LOOK_NANOS;

    /** How long a worker that waits for the receiver leaves its memory alone: to look at it takes it from its worker. */
    static final long PAUSE_NANOS = 10_000;

    /** So many looks the receiver must be seen asleep: time for its worker to come for the senders. A guess. */
    static final int LOOKS_CALM = 2;

    private static final VarHandle RECEIVER =
            fieldVarHandle(MethodHandles.lookup(), "receiver", VarHandle.class, CrowdRest.class, ProcessCell.class);
    private static final VarHandle ON =
            fieldVarHandle(MethodHandles.lookup(), "on", VarHandle.class, CrowdRest.class, boolean.class);

    private final int worker;

    private @Nullable ProcessCell receiver;
    private boolean on;
    private boolean due;
    private long sinceNanos;
    private boolean looked;
    private long lookedNanos;
    private int looksCalm;

    /** For the worker with that index. */
    CrowdRest(int worker) {
        this.worker = worker;
    }

    /** A process of this worker has sent to a mailbox that is crowded. */
    void crowds(ProcessCell crowded) {
        due = true;
        if (receiver != crowded) {
            RECEIVER.setRelease(this, crowded); // pairs with receiverAcquire()
        }
    }

    /** Whether a mailbox was found to be crowded since the last rest: only then the clock is needed. */
    boolean isDue() {
        return due;
    }

    /** The worker has nothing to run but what has sent to a crowded mailbox: whether it is to wait. */
    @CheckReturnValue
    boolean holds(long nowNanos) {
        ProcessCell crowded = receiver;
        if (crowded == null || !due) {
            return false;
        }
        boolean busy = isReady(crowded) && crowded.worker() != worker;
        if (!on && busy) {
            sinceNanos = nowNanos;
            ON.setOpaque(this, true);
        }
        looksCalm = busy ? 0 : looksCalm + 1;
        if (!on || looksCalm == LOOKS_CALM || nowNanos - sinceNanos >= REST_NANOS_MAX) {
            due = false;
            interrupt();
            return false;
        }
        return true;
    }

    /**
     * The worker, at a look: whether one of them may run before all others have, because the receiver sleeps or the last
     * one that might did so long ago.
     */
    @CheckReturnValue
    boolean isOver(long nowNanos) {
        ProcessCell crowded = receiver;
        if (looked && crowded != null && isReady(crowded) && nowNanos - lookedNanos < REST_NANOS_MAX) {
            return false;
        }
        looked = true;
        lookedNanos = nowNanos;
        return true;
    }

    /** There is something else to run: the rest begins anew when there is not. */
    void interrupt() {
        looksCalm = 0;
        if (on) {
            ON.setOpaque(this, false);
        }
    }

    /** The senders are gone. */
    void end() {
        due = false;
        interrupt();
        if (receiver != null) {
            RECEIVER.setOpaque(this, null);
        }
    }

    /** Any thread: whether the senders of this worker rest. Exact for the worker. */
    boolean isOn() {
        return (boolean) ON.getOpaque(this);
    }

    /** Any thread: whether the senders rest for a receiver that the worker with that index ran last. */
    boolean isOnFor(int thief) {
        ProcessCell crowded = receiverAcquire();
        return isOn() && crowded != null && crowded.worker() == thief;
    }

    /** Any thread: whether their receiver is about to empty its mailbox, as far as is known. */
    boolean isReceiverReady() {
        ProcessCell crowded = receiverAcquire();
        return crowded != null && isReady(crowded);
    }

    private @Nullable ProcessCell receiverAcquire() {
        return (ProcessCell) RECEIVER.getAcquire(this);
    }

    private static boolean isReady(ProcessCell crowded) {
        return ProcessState.state(crowded.word()) == ProcessState.READY;
    }
}

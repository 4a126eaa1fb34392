// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Whether a worker that has nothing else to run lets those rest that fill a crowded mailbox, while another worker empties it.
 * The worker's own, but for {@link #isOn}.
 */
final class CrowdRest {
    /*
     * Messages that one processor makes and another takes cost several times as much as those that stay on one, and if they
     * are made faster than they are taken, the collector copies all that wait. So the second processor makes it slower. A
     * worker that is left with such senders waits until the receiver has slept for some looks, or REST_NANOS_MAX have passed,
     * before it runs one. Meanwhile whoever empties the mailbox may take the senders over as soon as it is out of work.
     *
     * The receiver is known from the last message that this worker sent to a crowded mailbox. That is a hint: those that wait
     * may have sent to others.
     */

    /** The longest rest. */
    static final long REST_NANOS_MAX = WorkerQueues.LOOK_NANOS;

    /** So many looks the receiver must be seen asleep: time for its worker to come for the senders. A guess. */
    static final int LOOKS_CALM = 16;

    private static final VarHandle ON =
            fieldVarHandle(MethodHandles.lookup(), "on", VarHandle.class, CrowdRest.class, boolean.class);

    private @Nullable EventQueue crowded;
    private long sinceNanos;
    private int looksCalm;
    private boolean on;

    /** A process of this worker has sent to a mailbox that is crowded. */
    void crowds(EventQueue receiver) {
        if (crowded != receiver) {
            crowded = receiver;
        }
    }

    /** The worker has nothing to run but what has sent to a crowded mailbox: whether it is to wait. */
    @CheckReturnValue
    boolean holds(long nowNanos) {
        EventQueue receiver = crowded;
        if (receiver == null) {
            return false;
        }
        boolean busy = ProcessState.state(receiver.word()) == ProcessState.READY;
        if (!on && busy) {
            sinceNanos = nowNanos;
            ON.setOpaque(this, true);
        }
        looksCalm = busy ? 0 : looksCalm + 1;
        if (!on || looksCalm == LOOKS_CALM || nowNanos - sinceNanos >= REST_NANOS_MAX) {
            end();
            return false;
        }
        return true;
    }

    /** One of those that rested runs, or there are none. */
    void end() {
        if (crowded != null) {
            crowded = null;
            looksCalm = 0;
        }
        if (on) {
            ON.setOpaque(this, false);
        }
    }

    /** Any thread: whether the senders of this worker rest, as of some moment. */
    boolean isOn() {
        return (boolean) ON.getOpaque(this);
    }
}

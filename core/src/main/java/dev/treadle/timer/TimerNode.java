// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import org.jspecify.annotations.Nullable;

/**
 * A timer that is its own entry in a {@link TimerWheel}: subclass the thing that has a deadline, and no second object
 * is needed.
 *
 * <p>A node is idle, or started in one wheel. Each start ends in exactly one of three ways: the node fires, a {@link
 * TimerWheel#cancel} returns true, or the wheel is cleared. After any of them, and already inside {@link #fire()}, the
 * node is idle and may be started again; that is how a periodic timer is made:
 *
 * <pre>{@code
 * final class Heartbeat extends TimerNode {
 *     protected void fire() {
 *         beat();
 *         timers.start(this, deadlineNanos() + periodNanos);
 *     }
 * }
 * }</pre>
 */
public abstract class TimerNode {
    /*
     * All fields are guarded by the lock of the wheel the node is started in. An idle node is linked to itself, so the
     * links are never null and a node that has fired keeps nothing alive.
     */

    /** The wheel this node is started in; null while idle. This is the whole state of a node. */
    @Nullable
    TimerWheel wheel;

    TimerNode prev = this;
    TimerNode next = this;
    long deadlineNanos;

    /** For subclasses. */
    protected TimerNode() {}

    /**
     * The thread that drives the wheel, under no lock. The deadline has passed, and the node is idle again. What this
     * throws goes to the failure handler of the wheel and stops no other timer; what it takes in time delays them all.
     */
    protected abstract void fire();

    /**
     * Returns the deadline of the latest start, in the time of the wheel's clock. Reliable inside {@link #fire()};
     * elsewhere only on the thread that started the node.
     */
    public final long deadlineNanos() {
        return deadlineNanos;
    }

    /** Under the lock. Takes this node out of its list. */
    final void unlink() {
        prev.next = next;
        next.prev = prev;
        prev = this;
        next = this;
    }
}

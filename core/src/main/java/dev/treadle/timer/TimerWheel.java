// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.timer;

import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A set of timers, made for a million of them: starting and cancelling take constant time, from any thread.
 *
 * <p>A wheel has no thread and no clock. Somebody drives it: a {@link TimerThread} in real time, or a simulation that
 * calls {@link #advance} with a time of its own. At most one thread drives a wheel at a time.
 *
 * <p><b>Time</b> is that of one clock of the driver's choice, in nanoseconds, and may be negative or wrap like {@link
 * System#nanoTime()}: only differences count. A deadline may lie up to {@link #DELAY_NANOS_MAX} ahead; {@link
 * #deadline} adds a delay to a time and keeps it in that range.
 *
 * <p><b>Promises.</b> A node never fires before its deadline. Each start ends in exactly one of: the node fires, a
 * {@link #cancel} returns true, {@link #clear} drops it; under any race. Nodes fire in the order of their deadlines,
 * and those of one deadline in the order they were started; see {@link #advance}.
 */
public final class TimerWheel {
    /*
     * TimerSet says which node is next; this class says who may touch it, and when.
     *
     * Exactly one end per start. A node is claimed by whoever clears its wheel field under the lock: advance() before it
     * calls fire(), cancel(), or clear(). User code (fire, the failure handler) runs under no lock.
     *
     * Lost wake-ups: the one place that says why there are none. The driver calls announceSleep(), then parks until the
     * time returned; a starter calls start(), then unparks the driver if it returned true. Both take the lock, so one of
     * them is first:
     *   start() first:          announceSleep() sees the node; the driver sleeps no longer than its tick.
     *   announceSleep() first:  start() sees sleepTick and returns true if the node is for an earlier tick. The unpark
     *                           leaves a permit even if the driver has not parked yet, and its park returns at once.
     * start() then lowers sleepTick to the node's tick, as the driver is about to wake: the next node with a tick as late
     * need not wake it again. While the driver is awake sleepTick is AWAKE, and nobody wakes it for nothing.
     *
     * Cost. The lock is held for a few links, with two exceptions: sorting the nodes of one tick, and clear(). A single
     * lock has no more than a few contenders, as a worker starts timers between other work; see the figures in
     * docs/design/0006-timers.md before it is split.
     */

    /** The tick of wheels that are not told otherwise: one millisecond. */
    public static final long TICK_NANOS_DEFAULT = 1_000_000;

    /** The longest delay a wheel can tell from a time past, about 146 years. */
    public static final long DELAY_NANOS_MAX = Long.MAX_VALUE / 2;

    /** Stands for "no time": nothing is pending. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Earlier than every tick. */
    private static final long AWAKE = -1;

    private final ReentrantLock lock = new ReentrantLock();
    private final BiConsumer<? super TimerNode, ? super Throwable> failureHandler;

    /* Guarded by the lock, like the fields of the nodes. */
    private final TimerSet timers;
    private long sleepTick = AWAKE;
    private boolean advancing;
    private boolean closed;

    /**
     * Creates an empty wheel with the default tick.
     *
     * @param nowNanos the time at present; what lies before it is past
     * @param failureHandler gets each node whose {@link TimerNode#fire} threw, and what it threw, on the driving thread
     */
    public TimerWheel(long nowNanos, BiConsumer<? super TimerNode, ? super Throwable> failureHandler) {
        this(nowNanos, TICK_NANOS_DEFAULT, failureHandler);
    }

    /**
     * Creates an empty wheel.
     *
     * @param nowNanos the time at present; what lies before it is past
     * @param tickNanos the time that a {@link TimerThread} may fire late so as to fire many at once
     * @param failureHandler gets each node whose {@link TimerNode#fire} threw, and what it threw, on the driving thread
     * @throws IllegalArgumentException if the tick is not positive
     */
    public TimerWheel(long nowNanos, long tickNanos, BiConsumer<? super TimerNode, ? super Throwable> failureHandler) {
        this(nowNanos, tickNanos, TimerSlots.SLOT_BITS_MAX, failureHandler);
    }

    /** For tests: with few slots per level, so that few ticks make many drains. */
    TimerWheel(
            long nowNanos,
            long tickNanos,
            int slotBits,
            BiConsumer<? super TimerNode, ? super Throwable> failureHandler) {
        if (tickNanos <= 0) {
            throw new IllegalArgumentException("tickNanos was " + tickNanos + ", must be positive: use "
                    + TICK_NANOS_DEFAULT + " unless you measured otherwise");
        }
        this.timers = new TimerSet(nowNanos, tickNanos, slotBits);
        this.failureHandler = Objects.requireNonNull(failureHandler, "failureHandler");
    }

    /**
     * Returns the deadline that lies a delay after a time. A negative delay counts as none, one longer than {@link
     * #DELAY_NANOS_MAX} as that.
     */
    public static long deadline(long nowNanos, long delayNanos) {
        return nowNanos + Math.max(0, Math.min(delayNanos, DELAY_NANOS_MAX));
    }

    /**
     * Any thread. Starts a node; it fires in the first {@link #advance} to its deadline or later.
     *
     * @param node an idle node
     * @param deadlineNanos when it is due; if that is past, the next advance fires it
     * @return true if the driver has announced that it sleeps past the deadline: the caller must wake it
     * @throws IllegalStateException if the node is started already
     */
    public boolean start(TimerNode node, long deadlineNanos) {
        return switch (tryStart(node, deadlineNanos)) {
            case STARTED -> false;
            case STARTED_WAKE_DRIVER -> true;
            case REFUSED ->
                throw new IllegalStateException(
                        "timer " + node + " was started in a wheel that is closed: start timers before closing it");
        };
    }

    /** Any thread. Like {@link #start}, but says so if the wheel is closed. */
    Start tryStart(TimerNode node, long deadlineNanos) {
        lock.lock();
        try {
            if (closed) {
                return Start.REFUSED;
            }
            if (node.wheel == null) {
                node.wheel = this;
                long tick = timers.add(node, deadlineNanos);
                if (tick >= sleepTick) {
                    return Start.STARTED;
                }
                sleepTick = tick;
                return Start.STARTED_WAKE_DRIVER;
            }
        } finally {
            lock.unlock();
        }
        throw new IllegalStateException(
                "timer " + node + " is started already, must be idle: cancel it first, or use one node per timer");
    }

    /**
     * Any thread. Cancels a node.
     *
     * @return true if the node was started in this wheel and now will not fire; false if it is idle, which includes that
     *     it is about to fire on the driving thread
     */
    public boolean cancel(TimerNode node) {
        lock.lock();
        try {
            if (node.wheel != this) {
                return false;
            }
            claim(node);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. Makes a node idle; the caller alone decides what becomes of it. */
    private void claim(TimerNode node) {
        timers.remove(node);
        node.wheel = null;
    }

    /**
     * The driver. Moves the time of this wheel to {@code nowNanos} and fires what is due by then: each node started
     * before the call whose deadline is not after {@code nowNanos}, unless it is cancelled before its turn.
     *
     * <p>Nodes fire one after the other in the order of their deadlines, those of one deadline in the order in which
     * they were started. A node that is started while the call runs waits for the next call, even if it is due. A time
     * before that of an earlier call counts as the earlier call's.
     *
     * <p>What a node throws is given to the failure handler, and the rest fires all the same. What the handler throws is
     * thrown when all have fired.
     *
     * @return how many fired
     * @throws IllegalStateException if a call is running already, on this thread or another
     */
    public int advance(long nowNanos) {
        beginAdvance(nowNanos);
        Throwable handlerFailure = null;
        int fired = 0;
        try {
            for (TimerNode node = claimDue(); node != null; node = claimDue()) {
                fired++;
                try {
                    node.fire();
                } catch (Throwable failure) {
                    handlerFailure = handle(node, failure, handlerFailure);
                }
            }
        } finally {
            endAdvance();
        }
        if (handlerFailure != null) {
            throwUnchecked(handlerFailure);
        }
        return fired;
    }

    /**
     * The driver. Like {@link #advance}, but leaves it to the caller to {@link #fire} what is due, in any order. Those nodes
     * are idle already: to cancel them is too late.
     *
     * @param due gets them, in the order in which advance would fire them
     */
    public void advanceInto(long nowNanos, Collection<? super TimerNode> due) {
        beginAdvance(nowNanos);
        try {
            for (TimerNode node = claimDue(); node != null; node = claimDue()) {
                due.add(node);
            }
        } finally {
            endAdvance();
        }
    }

    /** The driver: fires a node that {@link #advanceInto} gave. What it throws is given to the failure handler. */
    public void fire(TimerNode node) {
        try {
            node.fire();
        } catch (Throwable failure) {
            failureHandler.accept(node, failure);
        }
    }

    /** The driver. Moves time on, for what has been started until now. */
    void beginAdvance(long nowNanos) {
        lock.lock();
        try {
            if (advancing) {
                throw new IllegalStateException("advance was called while it was running, must be called by one driver"
                        + " at a time: start a node that is due to have it fire soon");
            }
            advancing = true;
            sleepTick = AWAKE;
            timers.moveTo(nowNanos);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The driver, between begin and end. Returns the next node to fire, which is idle already, or null if none is due.
     * The lock is given up between steps, so that starters wait for one step and not for a whole slot to be drained.
     */
    @Nullable
    TimerNode claimDue() {
        boolean more = true;
        while (more) {
            lock.lock();
            try {
                TimerNode node = timers.firstDue();
                if (node != null) {
                    claim(node);
                    return node;
                }
                more = timers.step();
            } finally {
                lock.unlock();
            }
        }
        return null;
    }

    /** The driver. */
    void endAdvance() {
        lock.lock();
        try {
            advancing = false;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what to throw when all have fired: what a handler threw first, or null. */
    private @Nullable Throwable handle(TimerNode node, Throwable failure, @Nullable Throwable handlerFailure) {
        try {
            failureHandler.accept(node, failure);
            return handlerFailure;
        } catch (Throwable thrown) {
            if (handlerFailure == null) {
                return thrown;
            }
            if (handlerFailure != thrown) {
                handlerFailure.addSuppressed(thrown);
            }
            return handlerFailure;
        }
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void throwUnchecked(Throwable failure) throws X {
        throw (X) failure;
    }

    /**
     * Any thread. Returns a time that is not later than the deadline of any node, or {@link #NEVER} if there is none.
     *
     * <p>It may be earlier than the next deadline, since what is due in ticks to come is sorted coarsely, or since a node
     * was cancelled. To advance to it brings it closer: after a few rounds, at most two more than the wheel has levels,
     * it is exact or something has fired.
     */
    public long nextDeadlineNanos() {
        lock.lock();
        try {
            return timers.size() == 0 ? NEVER : notNever(timers.nextDeadlineNanos());
        } finally {
            lock.unlock();
        }
    }

    /**
     * The driver, after {@link #advance} and before it sleeps. Returns until when it may sleep, {@link #NEVER} if for
     * ever. From then on until the next advance, {@link #start} returns true when the driver must wake earlier; the
     * argument why no wake-up is lost stands at the top of the class.
     *
     * <p>The time returned is the end of the next tick in which something may be due, so that all of a tick fires in one
     * go. It is at most one tick later than the next deadline.
     */
    public long announceSleep() {
        lock.lock();
        try {
            sleepTick = timers.nextTick();
            return timers.size() == 0 ? NEVER : notNever(timers.endNanos(sleepTick));
        } finally {
            lock.unlock();
        }
    }

    private static long notNever(long nanos) {
        return nanos == NEVER ? NEVER - 1 : nanos;
    }

    /** Any thread. Returns how many nodes are started. */
    public int size() {
        lock.lock();
        try {
            return timers.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Any thread. Drops all nodes: they are idle, will not fire, and nothing of them stays referenced. Takes time in
     * proportion to their number, during which no node can be started or cancelled.
     */
    public void clear() {
        lock.lock();
        try {
            for (TimerNode node = timers.any(); node != null; node = timers.any()) {
                claim(node);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Any thread. Drops all nodes and refuses further ones. */
    void close() {
        lock.lock();
        try {
            closed = true;
            clear();
        } finally {
            lock.unlock();
        }
    }

    /** What became of a start, and what the caller must do next. */
    enum Start {
        STARTED,
        STARTED_WAKE_DRIVER,
        REFUSED
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            return "TimerWheel[" + timers + (sleepTick == AWAKE ? ", driver awake" : ", driver sleeps")
                    + (closed ? ", closed]" : "]");
        } finally {
            lock.unlock();
        }
    }
}

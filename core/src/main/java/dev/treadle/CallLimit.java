// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How many commands are worked on at once, how many wait for their turn, and that one more is refused. For what a {@link
 * CommandRegistry} registers with it.
 *
 * <pre>{@code
 * var pool = CallLimit.of(8, 1_000); // as many as the pool has connections
 * registry.registerBlocking(Query.class, pool, (query, call) -> database.run(query.sql()))
 *         .registerBlocking(Update.class, pool, (update, call) -> database.run(update.sql()));
 * }</pre>
 *
 * <p>All commands that are registered with one limit share it, on all schedulers that use the registry: a limit stands for
 * what the commands use, such as a pool of connections. What waits is begun in order. What is cancelled or timed out while it
 * waits is never begun, and its place is free at once. What is refused fails with a {@link CommandOverloadException}.
 */
public final class CallLimit {
    /*
     * A slot is taken by enter(), or passed on: whoever is done with a call begins the next one in the same slot, or gives
     * the slot back if none waits. So a call waits only while all slots are taken, and each slot's holder will come by.
     *
     * A call that is cancelled while it waits leaves the queue at once. It would otherwise count against the bound, and its
     * process would wait for an answer until a slot is free.
     */

    /** What became of a call that wants to run. */
    enum Entry {
        /** It has a slot: begin it with {@link #run}. */
        RUN,
        /** It is in the queue. */
        WAIT,
        /** Slots and queue are full. */
        REFUSED
    }

    private final int runningMax;
    private final int waitingMax;

    // A lock that virtual threads can wait for without holding their carrier. Never held while other code runs.
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<LimitedCall> waiting = new LinkedHashSet<>();
    private int running;

    private CallLimit(int runningMax, int waitingMax) {
        this.runningMax = runningMax;
        this.waitingMax = waitingMax;
    }

    /**
     * Makes a limit.
     *
     * @param runningMax how many run at once, at least 1
     * @param waitingMax how many wait for these, at the most; 0 for none
     * @throws IllegalArgumentException if one of them is less than that
     */
    public static CallLimit of(int runningMax, int waitingMax) {
        if (runningMax < 1) {
            throw new IllegalArgumentException(
                    "runningMax was " + runningMax + ", must be at least 1: it is how many calls run at once");
        }
        if (waitingMax < 0) {
            throw new IllegalArgumentException("waitingMax was " + waitingMax
                    + ", must not be negative: it is how many calls wait, use 0 for none");
        }
        return new CallLimit(runningMax, waitingMax);
    }

    /** Returns how many run at once, at the most. */
    public int runningMax() {
        return runningMax;
    }

    /** Returns how many wait, at the most. */
    public int waitingMax() {
        return waitingMax;
    }

    /** Returns how many run now. */
    public int running() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many wait now. */
    public int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Any thread. The result says what the caller must do. */
    @CheckReturnValue
    Entry enter(LimitedCall call) {
        lock.lock();
        try {
            if (running < runningMax) {
                running++;
                return Entry.RUN;
            }
            if (waiting.size() < waitingMax) {
                waiting.add(call);
                return Entry.WAIT;
            }
            return Entry.REFUSED;
        } finally {
            lock.unlock();
        }
    }

    /** Any thread: takes a call out of the queue. Returns whether it was there; if so nobody will begin it. */
    @CheckReturnValue
    boolean withdraw(LimitedCall call) {
        lock.lock();
        try {
            return waiting.remove(call);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whoever has a slot for a call: begins it, and those that wait as long as each is over at once. A loop, so that many of
     * them in a row need no deep stack.
     *
     * @param here the threads that the current one is of, if it is one for blocking calls and has nothing else to do
     */
    void run(LimitedCall first, @Nullable BlockingThreads here) {
        LimitedCall call = first;
        while (call != null) {
            call = switch (call.begin(here)) {
                case GOES_ON -> null;
                case OVER -> next(false);
                case NO_THREAD -> next(true);
            };
        }
    }

    /** Whoever has a slot, and is done with its call. */
    void passOn(@Nullable BlockingThreads here) {
        LimitedCall call = next(false);
        if (call != null) {
            run(call, here);
        }
    }

    /** Returns the call to run in the slot, or null if the slot is given back: none waits, or another slot's holder comes by. */
    private @Nullable LimitedCall next(boolean leaveItToOthers) {
        lock.lock();
        try {
            Iterator<LimitedCall> first = waiting.iterator();
            if (!first.hasNext() || (leaveItToOthers && running > 1)) {
                running--;
                return null;
            }
            LimitedCall call = first.next();
            first.remove();
            return call;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "CallLimit[" + running() + " of " + runningMax + " running, " + waiting() + " of " + waitingMax
                + " waiting]";
    }
}

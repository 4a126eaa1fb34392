// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Decides which calls run: so many at once, so many wait in order, and no more. Knows nothing of how they run.
 *
 * @param <T> a call; told apart by identity
 */
final class Admission<T> {
    /*
     * A slot is taken by enter(), or passed on by next(): whoever finished a call asks for the next one and either runs
     * it or has given its slot back. So a call waits only while all slots are taken, and each slot's holder will come by.
     *
     * A call that is cancelled while it waits leaves the queue at once. It would otherwise count against the bound, and
     * its process would wait for an answer until a slot is free.
     */

    /** What became of a call that wants to run. */
    enum Entry {
        /** It has a slot: run it, then call {@link #next}. */
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
    private final Set<T> waiting = new LinkedHashSet<>();
    private int running;

    Admission(int runningMax, int waitingMax) {
        this.runningMax = runningMax;
        this.waitingMax = waitingMax;
    }

    /** Any thread. The result says what the caller must do. */
    Entry enter(T call) {
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

    /** Whoever holds a slot and is done with its call: returns the call to run in the same slot, or null if the slot is free. */
    @Nullable
    T next() {
        lock.lock();
        try {
            Iterator<T> first = waiting.iterator();
            if (!first.hasNext()) {
                running--;
                return null;
            }
            T call = first.next();
            first.remove();
            return call;
        } finally {
            lock.unlock();
        }
    }

    /** Any thread: takes a call out of the queue. Returns whether it was there; if so nobody will run it. */
    boolean withdraw(T call) {
        lock.lock();
        try {
            return waiting.remove(call);
        } finally {
            lock.unlock();
        }
    }

    /** How many run now. */
    int running() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }

    /** How many wait now. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the error for a command that was refused. */
    OverloadException overload(Object command) {
        return new OverloadException("command " + command.getClass().getSimpleName() + " was refused: " + runningMax
                + " run and " + waitingMax + " wait, the most that runningMax and waitingMax allow:"
                + " raise them where the handlers are registered, or yield fewer at once");
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
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
     * the slot back if none waits. So a call waits only while all slots are taken, and each slot's holder will come by. The
     * slot is settled with next() before the call is answered: whoever hears the answer and yields again finds it free.
     *
     * No lock. Workers come here, and the threads of blocking calls, of which there may be many more than processors: one that
     * is put aside by the operating system while it holds a lock would hold up workers, and all processes with them.
     *
     *   who waits          puts its call in the queue, then looks for a free slot
     *   who gives back     frees its slot, then looks at the queue
     *
     * All of these are volatile, so one of the two sees the other, and no call waits beside a free slot. A call that finds the
     * queue not empty goes behind it even if a slot is free at that moment, so that none is overtaken.
     *
     * A call that is cancelled while it waits counts no longer at once, but stays in the queue as an empty place until somebody
     * comes by. So that such places do not pile up while all slots are taken for long, whoever makes them clears them away
     * when there are more of them than calls that wait; and when none waits, so that nothing of an ended process is kept.
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

    /** So many are not worth a look through the queue. A guess. */
    private static final int EMPTY_PLACES = 64;

    private final int runningMax;
    private final int waitingMax;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger(); // without the empty places
    private final AtomicInteger emptyPlaces = new AtomicInteger(); // about
    private final ConcurrentLinkedQueue<LimitedCall> queue = new ConcurrentLinkedQueue<>();

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
        return running.get();
    }

    /** Returns how many wait now. */
    public int waiting() {
        return waiting.get();
    }

    /** Any thread. The result says what the caller must do. */
    @CheckReturnValue
    Entry enter(LimitedCall call) {
        if (queue.isEmpty() && takeOne(running, runningMax)) {
            return Entry.RUN;
        }
        if (!takeOne(waiting, waitingMax)) {
            return Entry.REFUSED;
        }
        call.setWaiting();
        queue.add(call);
        if (takeOne(running, runningMax)) { // one was given back meanwhile
            run(next(), null);
        }
        return Entry.WAIT;
    }

    private static boolean takeOne(AtomicInteger count, int max) {
        for (int before = count.get(); before < max; before = count.get()) {
            if (count.compareAndSet(before, before + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Any thread: takes a call out of the queue. Returns whether it was there; if so nobody will begin it. */
    @CheckReturnValue
    boolean withdraw(LimitedCall call) {
        if (!call.endWaiting()) {
            return false;
        }
        int left = waiting.decrementAndGet();
        if (emptyPlaces.incrementAndGet() > Math.max(EMPTY_PLACES, left) || left == 0) {
            emptyPlaces.set(0);
            queue.removeIf(each -> !each.isWaiting());
        }
        return true;
    }

    /**
     * Whoever has a slot for a call: begins it, and those that wait as long as each is over at once. A loop, so that many of
     * them in a row need no deep stack.
     *
     * @param here the threads that the current one is of, if it is one for blocking calls and has nothing else to do
     */
    void run(@Nullable LimitedCall first, @Nullable BlockingThreads here) {
        LimitedCall call = first;
        while (call != null) {
            call = call.begin(here);
        }
    }

    /** As {@link #next}, for a slot whose call found no thread: the next may find none either, so others see to it if any run. */
    @CheckReturnValue
    @Nullable
    LimitedCall nextWithoutThread() {
        for (int before = running.get(); before > 1; before = running.get()) {
            if (running.compareAndSet(before, before - 1)) {
                return null;
            }
        }
        return next();
    }

    /**
     * Whoever has a slot, and is about to answer its call: returns the call to {@link #run} in the slot after that, or null
     * if none waits and the slot is given back.
     */
    @CheckReturnValue
    @Nullable
    LimitedCall next() {
        do {
            for (LimitedCall call = queue.poll(); call != null; call = queue.poll()) {
                if (call.endWaiting()) {
                    waiting.decrementAndGet();
                    return call;
                }
                emptyPlaces.decrementAndGet();
            }
            running.decrementAndGet();
        } while (!queue.isEmpty() && takeOne(running, runningMax));
        return null;
    }

    @Override
    public String toString() {
        return "CallLimit[" + running() + " of " + runningMax + " running, " + waiting() + " of " + waitingMax
                + " waiting]";
    }
}

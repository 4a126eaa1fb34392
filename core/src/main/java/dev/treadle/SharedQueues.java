// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.queue.WorkStealingDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ready processes of one worker, as others see them: thieves take half of a queue, the watchdog frees what a worker that
 * is held up would run next, whoever is about to sleep looks whether there is anything. {@link WorkerQueues} is the worker's
 * own view, and says what is in which queue.
 */
abstract sealed class SharedQueues extends Padding permits WorkerQueues {
    final WorkStealingDeque<ProcessCell> deque = new WorkStealingDeque<>();
    final WorkStealingDeque<ProcessCell> later = new WorkStealingDeque<>();
    final WorkStealingDeque<ProcessCell> last = new WorkStealingDeque<>();
    final CrowdRest rest;

    /** Only the worker changes it: see {@link WorkerQueues#renewNext}. */
    volatile NextSlot next = new NextSlot.Padded();

    /** The worker's own: how many processes its last theft gave. */
    private int stolen;

    /** Takes the index of the worker. */
    SharedQueues(int index) {
        rest = new CrowdRest(index);
    }

    // Thieves. Each passes its own queues, where what it takes goes.

    /** A thief: takes half of one of these queues, the deque first, into its own deque, and returns one to run. */
    @Nullable
    final ProcessCell stealInto(SharedQueues thief, WorkerCounters counters) {
        return stealHalf(deque.isEmpty() ? later : deque, thief, counters);
    }

    /** A thief: takes half of those that have sent to a crowded mailbox. */
    @Nullable
    final ProcessCell stealLastInto(SharedQueues thief, WorkerCounters counters) {
        return stealHalf(last, thief, counters);
    }

    private static @Nullable ProcessCell stealHalf(
            WorkStealingDeque<ProcessCell> from, SharedQueues thief, WorkerCounters counters) {
        if (from.isEmpty()) {
            return null;
        }
        counters.stealsTried++;
        ProcessCell cell = from.stealHalfInto(thief.deque);
        return cell == null ? null : thief.took(cell, thief.deque.transferred(), counters);
    }

    /** A thief: takes the oldest of those that have sent to a crowded mailbox. */
    @Nullable
    final ProcessCell stealOldestOfLast(SharedQueues thief, WorkerCounters counters) {
        counters.stealsTried++;
        ProcessCell cell = last.steal();
        return cell == null ? null : thief.took(cell, 1, counters);
    }

    private ProcessCell took(ProcessCell cell, int count, WorkerCounters counters) {
        stolen = count;
        counters.stealsWon++;
        counters.itemsStolen += count;
        return cell;
    }

    /** The worker, after a theft gave it something: how many it took, that one included. */
    final int stolen() {
        return stolen;
    }

    /** A thief: whether there are some that have sent to a crowded mailbox. */
    final boolean hasLast() {
        return !last.isEmpty();
    }

    /** The worker, and thieves: why those that have sent to a crowded mailbox are left alone, if they are. */
    final CrowdRest rest() {
        return rest;
    }

    /** In the last look before a sleep: whether there is anything here that whoever is awake should take. */
    final boolean hasWork() {
        return !deque.isEmpty() || !later.isEmpty();
    }

    /** How many wait here, as of some moment. */
    final int size() {
        return deque.size() + later.size() + last.size() + (next.isEmpty() ? 0 : 1);
    }

    // The watchdog, and whoever ends the worker.

    /** The watchdog, when the worker is held up: takes what would run next, if it still is in that turn. */
    @Nullable
    final ProcessCell takeNext(long turn, ProcessCell running) {
        return next.takeWhileIn(turn, running);
    }

    /** The watchdog, when the worker is held up: the oldest of those that have sent to a crowded mailbox. */
    @Nullable
    final ProcessCell takeOldestOfLast() {
        return last.steal();
    }

    /** The one who shuts down, when the worker has ended: forgets what is left. */
    final void clear() {
        takeAll(Invariants::dropped);
        rest.end();
    }

    /** The worker, or whoever stands in for it: takes out all that is ready, what would run next first. */
    final void takeAll(Consumer<ProcessCell> to) {
        for (ProcessCell cell = next.take(); cell != null; cell = next.take()) {
            to.accept(cell);
        }
        for (ProcessCell cell = deque.steal(); cell != null; cell = deque.steal()) {
            to.accept(cell);
        }
        for (ProcessCell cell = later.steal(); cell != null; cell = later.steal()) {
            to.accept(cell);
        }
        for (ProcessCell cell = last.steal(); cell != null; cell = last.steal()) {
            to.accept(cell);
        }
    }

    /** Says how many wait where, as of some moment. */
    @Override
    public String toString() {
        return "next " + (next.isEmpty() ? 0 : 1) + ", deque " + deque.size() + ", later " + later.size() + ", last "
                + last.size();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does when its own queues are empty: it steals half of another worker's, starting at a random one, and if
 * there is nothing anywhere it spins for a while and then sleeps until it is woken. The worker's own, but for {@link #unpark}.
 */
final class WorkSearch {
    /*
     *   looks without work   what it does before the next look
     *   1 to 3               spins
     *   4 to 15              yields the processor; or spins, if it was woken for no more than a few turns
     *   16                   sleeps, by the rule in Sleepers
     *
     * Before all that it may rest for a while: it lets its own senders to a crowded mailbox wait (CrowdRest), or leaves the
     * others' queues alone (StealPace). A worker that has such senders never sleeps, and so nobody else needs to stay awake for
     * them. A searcher takes them in two cases only: one of them, if they rest and it has run their receiver; half of them, if
     * the receiver is not about to empty its mailbox. If their worker is held up, the watchdog sees to them.
     *
     * Who yields tells the kernel that others go first, and Linux lets it pay for that when it is woken next: some 8 us.
     * That is well spent by a worker that was busy and waits for the other end of its work. One that was woken for a single
     * message, and will be for the next, pays each time and gets nothing for it.
     */

    /** Fewer looks without work than this are made in a tight loop. */
    static final int SPINS_TIGHT = 4;

    /** After this many looks without work the worker sleeps; before, it yields the processor in between. */
    static final int SPINS_YIELDING = 16;

    /** A worker that was woken for less than this many turns was not busy. */
    static final int TURNS_BUSY = 16;

    private final Worker worker;
    private final WorkerGroup group;
    private final Parker parker;
    private final SplittableRandom random;

    private final StealPace pace = new StealPace();

    private long turnsWhenWoken = -TURNS_BUSY;
    private long sleptNanos;
    private int stolen;

    WorkSearch(Worker worker, WorkerGroup group, Parker parker, long seed) {
        this.worker = worker;
        this.group = group;
        this.parker = parker;
        this.random = new SplittableRandom(seed);
    }

    /** In place of a thread: takes what another worker has, whatever it is. */
    @Nullable
    ProcessCell stealAny() {
        ProcessCell cell = steal();
        Worker[] all = group.workers();
        for (int i = 0; i < all.length && cell == null; i++) {
            if (all[i] != worker) {
                cell = all[i].queues.stealLastInto(worker.queues, worker.counters);
            }
        }
        return cell;
    }

    /** Takes half of what another worker has, and returns one of it to run. */
    private @Nullable ProcessCell steal() {
        Worker[] all = group.workers();
        int start = random.nextInt(all.length);
        for (int i = 0; i < all.length; i++) {
            Worker victim = all[(start + i) % all.length];
            if (victim != worker) {
                ProcessCell cell = victim.queues().stealInto(worker.queues, worker.counters);
                if (cell != null) {
                    return cell;
                }
            }
        }
        return null;
    }

    /** Takes those that have sent to a crowded mailbox from another worker, if that is better than to leave them there. */
    private @Nullable ProcessCell stealLast() {
        for (Worker victim : group.workers()) {
            SharedQueues queues = victim.queues();
            if (victim == worker || !queues.hasLast()) {
                continue;
            }
            ProcessCell cell = null;
            if (!queues.rest().isReceiverReady()) {
                cell = queues.stealLastInto(worker.queues, worker.counters);
            } else if (queues.rest().isOnFor(worker.index)) {
                cell = queues.stealOldestOfLast(worker.queues, worker.counters);
            }
            if (cell != null) {
                return cell;
            }
        }
        return null;
    }

    /** Returns what there is to run, as soon as there is something; null if the worker is told to end before. */
    @Nullable
    ProcessCell await() {
        sleptNanos = 0;
        stolen = 0;
        ProcessCell cell = null;
        while (cell == null && worker.order() == Worker.Order.RUN) {
            cell = worker.queues.isResting() ? restForCrowd() : null;
            if (cell == null && pace.hasHauled()) {
                long now = System.nanoTime();
                cell = rest(now, pace.restNanos(now, worker.turns()));
            }
            if (cell == null) {
                cell = search();
            }
        }
        if (sleptNanos > 0) {
            pace.slept();
        }
        if (stolen > 0) {
            pace.hauled(System.nanoTime(), worker.turns());
        }
        return cell;
    }

    // Resting. Whoever rests does not count as one that searches, so whoever makes work may wake another.

    /** Leaves its own senders to a crowded mailbox alone for as long as {@link CrowdRest} says, and returns what there is. */
    private @Nullable ProcessCell restForCrowd() {
        ProcessCell cell = stealWhileResting(); // the receiver itself may wait, or others, at a worker that is held up
        long stoleNanos = System.nanoTime();
        while (cell == null && worker.queues.isResting() && worker.order() == Worker.Order.RUN) {
            pause();
            cell = worker.queues.findWhileResting();
            if (cell == null && System.nanoTime() - stoleNanos >= WorkerQueues.LOOK_NANOS) {
                cell = stealWhileResting();
                stoleNanos = System.nanoTime();
            }
        }
        return cell;
    }

    private @Nullable ProcessCell stealWhileResting() {
        ProcessCell cell = steal();
        if (cell != null) {
            stolen = worker.queues.stolen();
            worker.queues.rest().interrupt();
            if (stolen > 1) {
                group.signalWork(); // on their way they were in no queue, and nobody stops searching here
            }
        }
        return cell;
    }

    /** Leaves what others hold alone for so long, and returns what else there is. */
    private @Nullable ProcessCell rest(long sinceNanos, long nanos) {
        ProcessCell cell = null;
        while (cell == null && System.nanoTime() - sinceNanos < nanos && worker.order() == Worker.Order.RUN) {
            Thread.yield();
            cell = worker.queues.findWhileResting();
        }
        return cell;
    }

    /** Looks at nothing that others write: each look at the receiver makes its worker wait for its own memory. */
    private static void pause() {
        long since = System.nanoTime();
        do {
            Thread.yield();
        } while (System.nanoTime() - since < CrowdRest.PAUSE_NANOS);
    }

    /** Returns null if the worker is told to end, or begins to rest. */
    private @Nullable ProcessCell search() {
        Sleepers sleepers = group.sleepers;
        WorkerCounters counters = worker.counters;
        WorkerQueues queues = worker.queues;
        boolean searching = false;
        boolean woken = false;
        int spins = 0;
        ProcessCell cell = null;
        try {
            while (worker.order() == Worker.Order.RUN) {
                searching = searching || sleepers.tryStartSearching();
                cell = queues.find();
                if (cell == null && searching) {
                    cell = steal();
                    cell = cell == null ? stealLast() : cell;
                    stolen = cell == null ? 0 : queues.stolen();
                }
                if (cell != null || queues.isResting()) {
                    break;
                }
                if (++spins < SPINS_YIELDING) {
                    spin(spins);
                } else {
                    counters.wakeUpsInVain += woken ? 1 : 0;
                    boolean wasSearching = searching;
                    searching = false;
                    long since = System.nanoTime();
                    woken = sleep(wasSearching);
                    sleptNanos += System.nanoTime() - since;
                    searching = woken;
                    spins = 0;
                }
            }
        } finally {
            if (searching) {
                group.stopSearching();
            }
        }
        counters.wakeUpsUseful += woken && cell != null ? 1 : 0;
        return cell;
    }

    private void spin(int looks) {
        if (yields(looks, worker.turns() - turnsWhenWoken)) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    /** Whether a worker yields the processor after so many looks without work, and so many turns since it was woken. */
    static boolean yields(int looks, long turnsSinceWoken) {
        return looks >= SPINS_TIGHT && turnsSinceWoken >= TURNS_BUSY;
    }

    /** Sleeps by the rule in {@link Sleepers}. Returns true if woken, and then counted as searching. */
    private boolean sleep(boolean searching) {
        group.sleepers.announce(worker.index, searching);
        if (worker.order() == Worker.Order.HALT) {
            return false; // the one who halts may have missed us
        }
        if (worker.order() == Worker.Order.RETIRE) {
            group.wakeAll(); // the one who retires us may have missed us
        } else if (group.hasWork()) {
            group.wakeOne();
        }
        worker.counters.parks++;
        parker.park();
        turnsWhenWoken = worker.turns();
        group.watchdog.workerAwake();
        return true;
    }

    /** How long the worker slept before {@link #await} returned. */
    long sleptNanos() {
        return sleptNanos;
    }

    /** How many processes it took from another worker before {@link #await} returned; 0 if it did not have to. */
    int stolen() {
        return stolen;
    }

    /** The one who claimed this worker from {@link Sleepers}. */
    void unpark() {
        parker.unpark();
    }
}

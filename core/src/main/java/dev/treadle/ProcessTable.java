// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** All living processes by id, the specification's {@code byPid}. */
final class ProcessTable {
    /*
     * A hash table in stripes, each with a lock (SpinLock) and a table of its own. The cells are their own links. Ids are dealt out
     * in sequence, so buckets stay short without hashing. Workers get them in blocks, and the ids of
     * a block are in one stripe, side by side: what a worker adds is on few cache lines. Each worker has blocks of stripes where
     * no other adds anything (ProcessIds).
     *
     * An id that the scheduler dealt out is nobody else's. Only for one that was chosen is the bucket searched for another
     * with the same id, which would touch the memory of processes that have long been idle.
     *
     * A look-up walks a bucket without the lock. It cannot go round in circles: when a stripe grows, a cell is linked
     * only to cells that were moved before it. But it may be led into another bucket by a cell that moves, and miss what
     * it looks for; so a miss is repeated under the lock. To find a living process costs no lock, to find out that there
     * is none costs one. (A Pid that a scheduler made knows its cell and needs no look-up at all.)
     *
     * Memory modes. Writes are made under the lock, with release, and look-ups read with acquire. Whoever has followed a
     * link of the new table sees all links that were set before it, so it goes on in the new table and comes to an end.
     *
     * Closing. close() sets the flag and then takes each lock once. An add() that came before is seen by whoever
     * walks the table after close(); one that comes after sees the flag under its lock and refuses.
     */

    /** What became of an add. */
    enum Add {
        ADDED,
        DUPLICATE,
        CLOSED
    }

    private static final VarHandle BUCKET = MethodHandles.arrayElementVarHandle(ProcessCell[].class);
    private static final VarHandle SIZE =
            fieldVarHandle(MethodHandles.lookup(), "size", VarHandle.class, Stripe.class, int.class);

    private static final int STRIPES = 1 << 6;
    private static final int STRIPE_BITS = Integer.numberOfTrailingZeros(STRIPES);
    private static final int BLOCK_BITS = Integer.numberOfTrailingZeros(ProcessIds.BLOCK);

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final int placesMax;
    private final @Nullable AtomicInteger places;
    private volatile boolean closed;

    /** Takes the most processes there may be at a time; 0 for no limit. */
    ProcessTable(int maxProcesses) {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new PaddedStripe();
        }
        placesMax = maxProcesses;
        places = maxProcesses == 0 ? null : new AtomicInteger(maxProcesses);
    }

    /** Any thread. Takes one of the places that the limit allows; false if there is none left. Exact under any race. */
    @CheckReturnValue
    boolean reserve() {
        AtomicInteger places = this.places;
        if (places == null) {
            return true;
        }
        int free = places.get();
        while (free > 0) {
            int seen = places.compareAndExchange(free, free - 1);
            if (seen == free) {
                return true;
            }
            free = seen;
        }
        return false;
    }

    /** Gives back a place that was reserved and not used, or whose process was removed. */
    void unreserve() {
        if (places != null) {
            places.incrementAndGet();
        }
    }

    @CheckReturnValue
    Add add(ProcessCell cell) {
        return stripe(cell.id).add(cell);
    }

    /** Returns whether it was there: of several who end a process, one removes it. */
    @CheckReturnValue
    boolean remove(ProcessCell cell) {
        return stripe(cell.id).remove(cell);
    }

    /** Like {@link #remove}, of a cell whose add or remove was cut off by a stack that overflowed. */
    @CheckReturnValue
    boolean forget(ProcessCell cell) {
        return stripe(cell.id).forget(cell);
    }

    @Nullable
    ProcessCell find(long id) {
        Stripe stripe = stripe(id);
        ProcessCell cell = stripe.find(id);
        return cell != null ? cell : stripe.findLocked(id);
    }

    /** Refuses whatever is added from now on. */
    void close() {
        closed = true;
        for (Stripe stripe : stripes) {
            stripe.passLock();
        }
    }

    int size() {
        int size = 0;
        for (Stripe stripe : stripes) {
            size += stripe.sizeAcquire();
        }
        return size;
    }

    /** Returns the processes of one part of the table, as of one moment. Walk all {@link #parts} to see them all. */
    List<ProcessCell> part(int part) {
        return stripes[part].snapshot();
    }

    int parts() {
        return STRIPES;
    }

    /** Forgets them all. */
    void clear() {
        for (Stripe stripe : stripes) {
            stripe.clear();
        }
    }

    /** When there is no process left: says what is wrong with the counts, or null. */
    @Nullable
    String recount() {
        int found = 0;
        for (int part = 0; part < STRIPES; part++) {
            found += part(part).size();
        }
        if (found != 0 || size() != 0) {
            return found + " processes are in it, " + size() + " are counted, must be none";
        }
        if (places != null && places.get() != placesMax) {
            return places.get() + " places are free, must be all " + placesMax;
        }
        return null;
    }

    private Stripe stripe(long id) {
        return stripes[(int) (spread(id) >>> BLOCK_BITS) & (STRIPES - 1)];
    }

    /**
     * Chosen ids may be in sequence too, and are then side by side like the others, but also multiples of anything: their upper
     * bits are hashed. The factor is 2^64 divided by the golden ratio.
     */
    private static long spread(long id) {
        if (id < Submission.CHOSEN_ID_MIN) {
            return id;
        }
        long chosen = id - Submission.CHOSEN_ID_MIN;
        long upper = (chosen >>> (BLOCK_BITS + STRIPE_BITS)) * 0x9e3779b97f4a7c15L;
        return chosen ^ upper ^ upper >>> 32;
    }

    private class Stripe extends SpinLock {
        private static final int CAPACITY_START = ProcessIds.BLOCK;
        private static final int CAPACITY_MAX = 1 << 26;

        private volatile @Nullable ProcessCell[] buckets = new ProcessCell[CAPACITY_START];
        private int size;

        private int bucket(long id, int capacity) {
            long spread = spread(id);
            long inBlock = spread & (ProcessIds.BLOCK - 1);
            return (int) (spread >>> (BLOCK_BITS + STRIPE_BITS) << BLOCK_BITS | inBlock) & (capacity - 1);
        }

        Add add(ProcessCell cell) {
            lock();
            try {
                Add add = addLocked(cell);
                unlock();
                return add;
            } catch (Throwable thrown) {
                held = false;
                throw thrown;
            }
        }

        private Add addLocked(ProcessCell cell) {
            if (closed) {
                return Add.CLOSED;
            }
            @Nullable ProcessCell[] buckets = this.buckets;
            int index = bucket(cell.id, buckets.length);
            if (cell.id >= Submission.CHOSEN_ID_MIN && isThere(cell.id, buckets[index])) {
                return Add.DUPLICATE;
            }
            cell.linkInTable(buckets[index]);
            BUCKET.setRelease(buckets, index, cell); // pairs with getAcquire in find()
            setSize(size + 1);
            if (size > buckets.length && buckets.length < CAPACITY_MAX) {
                resize(buckets.length * 2);
            }
            return Add.ADDED;
        }

        private static boolean isThere(long id, @Nullable ProcessCell first) {
            for (ProcessCell other = first; other != null; other = other.nextInTable()) {
                if (other.id == id) {
                    return true;
                }
            }
            return false;
        }

        boolean remove(ProcessCell cell) {
            lock();
            try {
                boolean removed = removeLocked(cell);
                unlock();
                return removed;
            } catch (Throwable thrown) {
                held = false;
                throw thrown;
            }
        }

        private boolean removeLocked(ProcessCell cell) {
            @Nullable ProcessCell[] buckets = this.buckets;
            int index = bucket(cell.id, buckets.length);
            ProcessCell before = null;
            for (ProcessCell other = buckets[index]; other != null; other = other.nextInTable()) {
                if (other == cell) {
                    if (before == null) {
                        BUCKET.setRelease(buckets, index, other.nextInTable());
                    } else {
                        before.linkInTable(other.nextInTable());
                    }
                    cell.linkInTable(null);
                    setSize(size - 1);
                    if (size < buckets.length / 8 && buckets.length > CAPACITY_START) {
                        resize(buckets.length / 2);
                    }
                    return true;
                }
                before = other;
            }
            return false;
        }

        /** The count may be wrong by one, if the stack overflowed beside it. */
        boolean forget(ProcessCell cell) {
            return locked(() -> forgetLocked(cell));
        }

        private boolean forgetLocked(ProcessCell cell) {
            boolean wasThere = removeLocked(cell);
            int count = 0;
            for (ProcessCell each : buckets) {
                for (ProcessCell other = each; other != null; other = other.nextInTable()) {
                    count++;
                }
            }
            setSize(count);
            return wasThere;
        }

        /** Under the lock: moves each cell to the new table, and publishes that at the end. */
        private void resize(int capacity) {
            @Nullable ProcessCell[] moved;
            try {
                StackRoom.ensure(); // half a move would lose processes
                moved = new ProcessCell[capacity];
            } catch (OutOfMemoryError | StackOverflowError e) {
                return; // what was added or removed is: the old table will do, with longer buckets
            }
            for (ProcessCell each : buckets) {
                ProcessCell cell = each;
                while (cell != null) {
                    ProcessCell next = cell.nextInTable();
                    int index = bucket(cell.id, capacity);
                    cell.linkInTable(moved[index]);
                    moved[index] = cell;
                    cell = next;
                }
            }
            buckets = moved;
        }

        @Nullable
        ProcessCell find(long id) {
            @Nullable ProcessCell[] buckets = this.buckets;
            ProcessCell cell = (ProcessCell) BUCKET.getAcquire(buckets, bucket(id, buckets.length));
            while (cell != null && cell.id != id) {
                cell = cell.nextInTable();
            }
            return cell;
        }

        @Nullable
        ProcessCell findLocked(long id) {
            lock();
            try {
                ProcessCell cell = find(id);
                unlock();
                return cell;
            } catch (Throwable thrown) {
                held = false;
                throw thrown;
            }
        }

        List<ProcessCell> snapshot() {
            return locked(this::snapshotLocked);
        }

        private List<ProcessCell> snapshotLocked() {
            var cells = new ArrayList<ProcessCell>(size);
            for (ProcessCell each : buckets) {
                for (ProcessCell cell = each; cell != null; cell = cell.nextInTable()) {
                    cells.add(cell);
                }
            }
            return cells;
        }

        /** Returns when whoever holds the lock now has given it back. */
        void passLock() {
            locked(() -> this);
        }

        void clear() {
            @Nullable ProcessCell[] empty = new ProcessCell[CAPACITY_START];
            locked(() -> {
                buckets = empty;
                setSize(0);
                return this;
            });
        }

        private void setSize(int size) {
            SIZE.setRelease(this, size);
        }

        private int sizeAcquire() {
            return (int) SIZE.getAcquire(this);
        }
    }

    /** With room behind it, and so in front of the next one: two workers are most often in neighbours. See {@link Padding}. */
    private final class PaddedStripe extends Stripe {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;
    }
}

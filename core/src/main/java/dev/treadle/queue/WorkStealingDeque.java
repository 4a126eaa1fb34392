// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static java.lang.invoke.ConstantBootstraps.arrayVarHandle;
import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A worker's own queue of ready items: the owner pushes and pops at the bottom, newest first; thieves take from the top,
 * oldest first, up to half of the items at a time.
 *
 * <p>It grows on demand, up to a limit, and never shrinks. At the limit {@link #push} refuses. An item must not be pushed
 * again, here or elsewhere, by anyone but the thread that took it.
 *
 * @param <E> the items
 */
public final class WorkStealingDeque<E> extends PaddedDequeEnds.AfterBottom implements Stealable<E> {
    /*
     * How it works
     *
     *            index   top                 bottom
     *                     v                    v
     *    slots   .  .  .  x  x  x  x  x  x  x  .  .       item i is in slots[i mod length]
     *                     |--- B ---|
     *           thieves: CAS      owner: no CAS here
     *
     * top is one word, (tag, index), and every change of it raises the tag (see TopWord). bottom is an index that only
     * the owner writes. Below, t is the index in the top word and B is stealMax.
     *
     *   push    slots[bottom] = item; bottom = bottom + 1
     *   steal   read top; read bottom; n = min(half the size, B); copy t .. t+n-1; CAS top to (tag + 1, t + n)
     *   pop     b = bottom - 1; bottom = b; and then
     *             b - t >= B, and still so when top is read again:  take b
     *             otherwise:  CAS top to (tag + 1, t); then take b
     *
     * Chase and Lev (2005; with fences, Le and others 2013) let the owner pop without a CAS down to the last item, which
     * is safe if thieves take one item at a time. With n > 1 it is not: of items 0..3 a thief copies 0 and 1, the owner
     * pops 3, 2 and 1, and the thief's CAS from 0 to 2 still succeeds. Item 1 is taken twice. Here the owner, too,
     * changes the word before it takes an item that a thief may be after, which are the first B.
     *
     * Why no item is taken twice. Thieves exclude each other: each CAS starts where the one before it ended. So let the
     * owner take item b, and let a thief take n items from word w, index t, with t <= b < t + n <= t + B.
     *   The owner used CAS, u -> u', u with an index <= b. If w is earlier than u, the index of u is t + n or more: too
     *     far. If w is u, one of the two CASes fails. If w is u' or later, the thief that read w also sees bottom = b or
     *     what the owner wrote after it, and does not reach b unless b has been pushed anew.
     *   The owner used no CAS. It stored bottom = b, then read a word u with index t' <= b - B. If w is u or earlier,
     *     t + B <= t' + B <= b: out of reach. If w is later than u, then the owner's store of bottom came before its
     *     read of u, that before the change to w, that before the thief's read of w, that before its read of bottom:
     *     it saw b, or what the owner wrote after it. The owner's store and read must not pass each other for this (both
     *     are volatile), nor the thief's two reads.
     *
     * Why none is lost. top moves only by the CAS of a thief, over the items that it takes. bottom goes down only in
     * pop, which takes that item or finds it taken (top is then b + 1, as no thief goes past the bottom it read, and
     * bottom is put back there). Between these two steps bottom is one less than top: sizes are signed.
     *
     * Why the copied items are the right ones. While the word is w, nobody takes or replaces items t .. t+B-1, as shown.
     * The thief read top, then bottom, then slots, so it has the array that the owner wrote them to, or a later one, to
     * which they were copied. The owner does not write to an array after it published the next. It reuses the slot of
     * item i for i + length only after it saw top go past i, and then the thief's CAS fails. What a thief copies by
     * accident it drops.
     *
     * Why an empty answer is right. A thief that read top, then bottom, and finds nothing between them reads top again.
     * If the word is the same, the deque was empty when bottom was read. If not, indexes may have gone round; try again.
     *
     * Clearing. The owner clears the slot that it pops. A thief clears after its CAS, when the owner may have reused
     * the slot, so it swaps its item for null and nothing else. That cannot hit a later item: the same item cannot be
     * in the deque again, for the thief has not shown it to anyone yet. The array may be replaced meanwhile:
     *   thief:  CAS top; read slots; clear there.       owner:  copy; publish slots; read top; clear below top.
     * If the thief reads the old array, it did so before the owner published the new one, so the owner, who reads top
     * after that, sees the thief's CAS and clears in the new one. All four are volatile.
     *
     * Memory modes. Volatile, but for these:
     *   bottomPlain                the owner reads its own writes.
     *   setBottomRelease in push   pairs with bottomVolatile in steal: the slot is written before it is seen. Nothing
     *                              keeps a later read from passing it: whoever pushes and then looks for sleepers has
     *                              to fence.
     *   setBottomRelease in pop    pairs with topVolatile in steal, by way of the CAS of top that follows it.
     *   topAcquire in push         pairs with the CAS in steal: the thief copied the slot before the owner reuses it.
     *   topOpaque in pop,          top only grows, so an old word can claim too many items, never too few. The CAS or
     *   popOldest                  topVolatile after it finds out. For the owner, empty is empty.
     *   slots, plain by the owner  published by setBottomRelease; read opaquely by thieves, who may see anything that
     *                              was ever there and drop it when the CAS fails.
     *
     * The oldest item by the owner's hand. popOldest is a theft of one by a thief who knows bottom, and who is the only one
     * to fill slots: no slot can be reused between its CAS and its clearing.
     *
     * Progress. push and pop are wait-free: a failed CAS in pop means that a thief took an item, so there are at most B.
     * steal is lock-free: a failed CAS means that someone else took an item.
     *
     * Cost. pop pays a CAS near the top, a fence further down, and neither if the deque is empty. A thief that races with
     * the owner near the top must try again. docs/design/0001-work-stealing-deque.md has figures, and what was rejected.
     */

    /** The greatest limit: sizes are told from indexes modulo 2^20, and stay clear of half of that. */
    public static final int CAPACITY_MAX = 1 << (TopWord.INDEX_BITS - 2);

    /** The most items that are taken in one go, from a deque or from the global queue. A guess, not tuned. */
    public static final int TRANSFER_MAX = 32;

    private static final int CAPACITY_INITIAL = 256;

    private static final VarHandle SLOT =
            arrayVarHandle(MethodHandles.lookup(), "slot", VarHandle.class, Object[].class);
    private static final VarHandle SLOTS =
            fieldVarHandle(MethodHandles.lookup(), "slots", VarHandle.class, WorkStealingDeque.class, Object[].class);

    private final int capacityMax;
    private final int stealMax;

    /** Written by the owner only; its length is a power of two. */
    private @Nullable Object[] slots;

    /** The owner's: what it takes from elsewhere, between {@link #makeRoom} and {@link #acceptScratch}. */
    final @Nullable Object[] scratch = new @Nullable Object[TRANSFER_MAX];

    /** The owner's. */
    private int transferred;

    private volatile @Nullable Thread owner;

    /** Makes an empty deque with the greatest limit. */
    public WorkStealingDeque() {
        this(CAPACITY_INITIAL, CAPACITY_MAX);
    }

    /**
     * Makes an empty deque.
     *
     * @param capacityInitial how many items fit before it grows for the first time, a power of two
     * @param capacityMax how many items fit at most, a power of two
     */
    public WorkStealingDeque(int capacityInitial, int capacityMax) {
        this(capacityInitial, capacityMax, TRANSFER_MAX, 0, 0);
    }

    /** For tests: a thief takes at most {@code stealMax}; the top word starts as told. */
    WorkStealingDeque(int capacityInitial, int capacityMax, int stealMax, int indexStart, long tagStart) {
        super(TopWord.of(tagStart, indexStart), indexStart);
        if (Integer.bitCount(capacityMax) != 1 || capacityMax < 0 || capacityMax > CAPACITY_MAX) {
            throw new IllegalArgumentException("capacityMax was " + capacityMax + ", must be a power of two in 1.."
                    + CAPACITY_MAX + ": leave it out to use the greatest");
        }
        if (Integer.bitCount(capacityInitial) != 1 || capacityInitial < 0 || capacityInitial > capacityMax) {
            throw new IllegalArgumentException(
                    "capacityInitial was " + capacityInitial + ", must be a power of two in 1..capacityMax ("
                            + capacityMax + "): lower it or raise capacityMax");
        }
        if (stealMax < 1 || stealMax > TRANSFER_MAX) {
            throw new IllegalArgumentException(
                    "stealMax was " + stealMax + ", must be 1.." + TRANSFER_MAX + ": leave it out to use the greatest");
        }
        this.capacityMax = capacityMax;
        this.stealMax = stealMax;
        this.slots = new @Nullable Object[capacityInitial];
    }

    /**
     * Any thread, before the owner's first call: from now on the owner's methods assert, where assertions are on, that
     * {@code owner} calls them. Null takes the assertion back. There is no need to call this.
     *
     * @param owner the owner, or null
     */
    public void bindOwner(@Nullable Thread owner) {
        this.owner = owner;
    }

    /**
     * Owner only. Adds the newest item.
     *
     * <p>This is no full fence. A caller that looks for sleepers afterwards has to fence in between.
     *
     * @param item the item, which is in no other queue
     * @return false if the deque is full, or cannot grow for want of memory, and the item was not accepted; push it to the
     *     {@link GlobalQueue} instead
     */
    public boolean push(E item) {
        assert ownedByCurrentThread() : "push by a thread that does not own this deque; use the GlobalQueue";
        Objects.requireNonNull(item, "item");
        if (makeRoom(1) == 0) {
            return false;
        }
        int bottom = bottomPlain();
        @Nullable Object[] slots = this.slots;
        slots[bottom & (slots.length - 1)] = item;
        setBottomRelease(TopWord.add(bottom, 1)); // pairs with bottomVolatile in steal
        return true;
    }

    /**
     * Owner only. Takes the newest item.
     *
     * @return the item, now the caller's alone, or null if the deque is empty
     */
    public @Nullable E pop() {
        assert ownedByCurrentThread() : "pop by a thread that does not own this deque; use steal";
        long top = topOpaque();
        int bottom = bottomPlain();
        if (TopWord.index(top) == bottom) {
            return null;
        }
        int index = TopWord.add(bottom, -1);
        if (TopWord.distance(TopWord.index(top), index) >= stealMax) {
            // Volatile, both: a thief that reads a later word than we do must see this bottom.
            setBottomVolatile(index);
            top = topVolatile();
            if (TopWord.distance(TopWord.index(top), index) >= stealMax) {
                return takeAt(index);
            }
        } else {
            setBottomRelease(index); // pairs with topVolatile in steal, by way of the CAS below
        }
        while (TopWord.index(top) != bottom) {
            if (casTop(top, TopWord.renewed(top))) {
                return takeAt(index);
            }
            top = topVolatile();
        }
        setBottomRelease(bottom); // thieves took the item; this needs no partner, they find the deque empty either way
        return null;
    }

    /**
     * Owner only. Removes the oldest item, as {@link #steal} does, but cheaper: the owner need not mind who clears the slot.
     *
     * @return the item, now the caller's alone, or null if the deque is empty
     */
    public @Nullable E popOldest() {
        assert ownedByCurrentThread() : "popOldest by a thread that does not own this deque; use steal";
        long top = topOpaque();
        while (TopWord.index(top) != bottomPlain()) {
            if (casTop(top, TopWord.advanced(top, 1))) {
                return takeAt(TopWord.index(top));
            }
            top = topVolatile();
        }
        return null;
    }

    @Override
    public @Nullable E steal() {
        for (; ; ) {
            long top = topVolatile();
            if (sizeBelow(top) <= 0) {
                if (topVolatile() == top) {
                    return null;
                }
                continue;
            }
            int index = TopWord.index(top);
            @Nullable Object[] slots = slotsVolatile();
            Object item = slotOpaque(slots, index);
            if (casTop(top, TopWord.advanced(top, 1))) {
                casSlotToNull(slotsVolatile(), index, item);
                return cast(item);
            }
        }
    }

    @Override
    public @Nullable E stealHalfInto(WorkStealingDeque<E> mine) {
        assert mine != this : "a deque cannot steal from itself; use pop or steal";
        int countMax = 1 + mine.makeRoom(stealMax - 1);
        @Nullable Object[] scratch = mine.scratch;
        for (; ; ) {
            long top = topVolatile();
            int size = sizeBelow(top);
            if (size <= 0) {
                if (topVolatile() == top) {
                    return mine.acceptScratch(0);
                }
                continue;
            }
            int count = Math.min((size + 1) / 2, countMax);
            int index = TopWord.index(top);
            @Nullable Object[] slots = slotsVolatile();
            for (int i = 0; i < count; i++) {
                scratch[i] = slotOpaque(slots, index + i);
            }
            if (casTop(top, TopWord.advanced(top, count))) {
                slots = slotsVolatile();
                for (int i = 0; i < count; i++) {
                    casSlotToNull(slots, index + i, scratch[i]);
                }
                return mine.acceptScratch(count);
            }
            Arrays.fill(scratch, 0, count, null);
        }
    }

    @Override
    public int size() {
        for (; ; ) {
            long top = topVolatile();
            int size = sizeBelow(top);
            if (size > 0) {
                return Math.min(size, capacityMax);
            }
            if (topVolatile() == top) {
                return 0;
            }
        }
    }

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    /** Owner only. Whether there is nothing in it; exact, but for what thieves take at this moment. */
    public boolean isEmptyToOwner() {
        return TopWord.index(topOpaque()) == bottomPlain();
    }

    /**
     * Owner only. Returns how many items the last {@link Stealable#stealHalfInto} or {@link GlobalQueue#popBatchInto} into
     * this deque took, the returned one included; 0 if it returned null.
     */
    public int transferred() {
        return transferred;
    }

    /** Owner only. Grows until {@code countMax} more items fit, if limit and memory allow; returns how many of them fit. */
    int makeRoom(int countMax) {
        assert ownedByCurrentThread() : "a transfer by a thread that does not own the receiving deque";
        int index = TopWord.index(topAcquire()); // pairs with casTop in steal: its copy came before we reuse the slot
        int size = TopWord.distance(index, bottomPlain());
        int length = slots.length;
        if (length - size >= countMax) {
            return countMax;
        }
        int count = Math.min(countMax, capacityMax - size);
        while (length - size < count) {
            length <<= 1;
        }
        if (length > slots.length && !grow(index, length)) {
            return Math.min(count, slots.length - size); // the limit is here, for now
        }
        return count;
    }

    /** Owner only, after {@link #makeRoom}. Empties {@code scratch}, oldest first: returns one, pushes the others. */
    @Nullable
    E acceptScratch(int count) {
        transferred = count;
        if (count == 0) {
            return null;
        }
        @Nullable Object[] scratch = this.scratch;
        @Nullable Object[] slots = this.slots;
        int bottom = bottomPlain();
        for (int i = count - 1; i > 0; i--) {
            slots[bottom++ & (slots.length - 1)] = scratch[i];
        }
        setBottomRelease(bottom & TopWord.INDEX_MASK); // pairs with bottomVolatile in steal
        E oldest = cast(scratch[0]);
        Arrays.fill(scratch, 0, count, null);
        return oldest;
    }

    /** Returns false if memory has run out: then it is as it was. */
    private boolean grow(int index, int length) {
        @Nullable Object[] from = slots;
        @Nullable Object[] to;
        try {
            to = new @Nullable Object[length];
        } catch (OutOfMemoryError e) {
            return false;
        }
        int bottom = bottomPlain();
        for (int i = index; i != bottom; i = TopWord.add(i, 1)) {
            to[i & (length - 1)] = slotOpaque(from, i);
        }
        setSlotsVolatile(to);
        int indexNow = TopWord.index(topVolatile()); // pairs with slotsVolatile after casTop in steal
        for (int i = index; i != indexNow; i = TopWord.add(i, 1)) {
            to[i & (length - 1)] = null;
        }
        return true;
    }

    private @Nullable E takeAt(int index) {
        @Nullable Object[] slots = this.slots;
        int slot = index & (slots.length - 1);
        Object item = slots[slot];
        slots[slot] = null;
        return cast(item);
    }

    /** Reads bottom, so the caller must have read {@code top} before. Meaningless if the word has changed since. */
    private int sizeBelow(long top) {
        return TopWord.distance(TopWord.index(top), bottomVolatile());
    }

    private boolean ownedByCurrentThread() {
        Thread owner = this.owner;
        return owner == null || owner == Thread.currentThread();
    }

    private @Nullable Object[] slotsVolatile() {
        return (@Nullable Object[]) SLOTS.getVolatile(this);
    }

    private void setSlotsVolatile(@Nullable Object[] slots) {
        SLOTS.setVolatile(this, slots);
    }

    private static @Nullable Object slotOpaque(@Nullable Object[] slots, int index) {
        return SLOT.getOpaque(slots, index & (slots.length - 1));
    }

    private static void casSlotToNull(@Nullable Object[] slots, int index, @Nullable Object item) {
        SLOT.compareAndSet(slots, index & (slots.length - 1), item, null);
    }

    @SuppressWarnings("unchecked") // only push and acceptScratch fill slots, with an E
    private @Nullable E cast(@Nullable Object item) {
        return (E) item;
    }

    @Override
    public String toString() {
        return "WorkStealingDeque[top " + TopWord.toString(topVolatile()) + ", bottom " + bottomVolatile()
                + ", capacity " + slotsVolatile().length + " of " + capacityMax + "]";
    }
}

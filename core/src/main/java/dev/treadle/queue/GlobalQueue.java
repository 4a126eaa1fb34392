// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import static java.lang.invoke.ConstantBootstraps.arrayVarHandle;
import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The queue that all threads share, oldest first: it takes what comes from outside the workers, and what does not fit
 * in their deques.
 *
 * <p>It has no limit of its own; the number of processes is its limit.
 *
 * @param <E> the items
 */
public final class GlobalQueue<E> {
    /*
     * How it works
     *
     *    head                                                        tail
     *     v                                                           v
     *   [ #  #  x  x ] --next--> [ x  #  x  x ] --next--> [ x  x  -  x  .  . ]
     *           ^                                                       ^
     *         popped                                                  pushed       x item  # TAKEN  . null  - in flight
     *
     * A list of segments. Each has an array of slots and two counts: pushed, the slots handed to threads that push, and
     * popped, the slots handed to threads that pop. A slot is handed to one of each, and goes null -> item -> TAKEN.
     *
     *   push   i = pushed++. If i is in the segment, CAS slot i from null to the item. Otherwise link a new segment that
     *          already has the item in slot 0.
     *   pop    if popped < pushed, CAS popped up by n (1, or a batch), then swap TAKEN into each of the n slots.
     *
     * Burnt slots. A pop may come to its slot before the push that has the same slot: it gets null, and TAKEN makes the
     * CAS of the push fail. Both go on to another slot. The pop waits a little first, as the push is usually about to
     * arrive; but not longer, for its thread may have been stopped.
     *
     * Why it is first in, first out. Items are taken in the order of their slots, and a push that starts after another
     * has ended gets a later slot: pushed only grows, and the tail moves on only from a full segment. Pops that overlap
     * may return in either order.
     *
     * Why an empty answer is right. It is given when pop reads popped, then pushed, and finds no slot between them, in a
     * segment that is not full, or that is full and has no next. At the moment of the last read, every slot that a push
     * had been given was also given to a pop; an item in such a slot belongs to that pop, which is under way and comes
     * first. A next segment is linked only after pushed has reached the length, so there was none to look at.
     *
     * Why none is lost or taken twice. A slot is swapped by one pop only, as popped moves by CAS. Either the push's CAS
     * comes first, and the pop gets the item, or the swap does, and the push tries again.
     *
     * Segments that are done. The head moves on when popped has reached the length; first the tail is moved off the
     * segment, then its next is turned to itself. Otherwise a dead segment that the collector has already moved to the
     * old generation would keep its successor from being collected, and that one the next. A thread that still has the
     * segment sees next == itself, and starts again from the head or the tail.
     *
     * Overflow. pushed passes the length by one for each thread that came too late, at most once per thread and segment:
     * it then finds or makes the next segment. popped never passes pushed or the length.
     *
     * Memory modes. All volatile; the array is published with its segment.
     *
     * Progress. Lock-free. A failed CAS of popped means that another pop has got slots. A push whose slot was burnt might
     * meet the same fate in the next one, but only to the end of the segment: the new one holds its item from the start.
     *
     * Cost. push: one fetch-and-add, one CAS. pop: one CAS, one swap; a batch: one CAS, and one swap per item.
     *
     * After the array queues of Morrison and Afek (2013) and of Ramalhete and Correia (2016), in which pop too gets its
     * slot by fetch-and-add. That hands out slots that no push has got yet, so popped can run ahead of pushed and past
     * the length, and a batch can burn many slots at once. See docs/design/0002-global-queue.md.
     */

    private static final int SEGMENT_LENGTH = 256;

    /** How often a pop looks at a slot before it burns it. A guess; on two cores slots are burnt too rarely to tell. */
    private static final int LOOKS_MAX = 64;

    private static final Object TAKEN = new Object();

    private static final VarHandle HEAD =
            fieldVarHandle(MethodHandles.lookup(), "head", VarHandle.class, GlobalQueue.class, Segment.class);
    private static final VarHandle TAIL =
            fieldVarHandle(MethodHandles.lookup(), "tail", VarHandle.class, GlobalQueue.class, Segment.class);

    private final int segmentLength;
    private final int looksMax;

    // Not padded: both change once per segment, all else is read.
    private volatile Segment head;
    private volatile Segment tail;

    /** Makes an empty queue. */
    public GlobalQueue() {
        this(SEGMENT_LENGTH, LOOKS_MAX);
    }

    /** For tests: with short segments, and fewer looks at a slot before it is burnt. */
    GlobalQueue(int segmentLength, int looksMax) {
        if (segmentLength < 1) {
            throw new IllegalArgumentException(
                    "segmentLength was " + segmentLength + ", must be 1 or more: leave it out to use the default");
        }
        this.segmentLength = segmentLength;
        this.looksMax = looksMax;
        this.head = new Segment(0, segmentLength);
        this.tail = head;
    }

    /**
     * Any thread. Adds the newest item.
     *
     * @param item the item, which is in no other queue
     */
    public void push(E item) {
        Objects.requireNonNull(item, "item");
        for (; ; ) {
            Segment segment = tail;
            int index = segment.pushedVolatile() < segmentLength ? segment.getAndIncrementPushed() : segmentLength;
            if (index < segmentLength) {
                if (segment.casSlotFromNull(index, item)) {
                    return;
                }
                continue; // burnt
            }
            Segment next = segment.nextVolatile();
            if (next == null) {
                next = new Segment(segment.ordinal + 1, segmentLength, item);
                if (segment.casNextFromNull(next)) {
                    TAIL.compareAndSet(this, segment, next);
                    return;
                }
            } else if (next != segment) {
                TAIL.compareAndSet(this, segment, next);
            }
        }
    }

    /**
     * Any thread. Takes the oldest item.
     *
     * <p>Null means that the queue was empty at some moment during the call.
     *
     * @return the item, now the caller's alone, or null
     */
    public @Nullable E pop() {
        for (; ; ) {
            Segment segment = firstPoppable();
            if (segment == null) {
                return null;
            }
            int index = segment.poppedVolatile();
            if (index < segment.limitVolatile() && segment.casPopped(index, index + 1)) {
                Object item = segment.take(index, looksMax);
                if (item != null) {
                    return cast(item);
                }
            }
        }
    }

    /**
     * The owner of {@code mine}. Takes the oldest items: the oldest is returned to be run at once, the others are pushed on
     * {@code mine} such that {@link WorkStealingDeque#pop()} yields them oldest first.
     * {@link WorkStealingDeque#transferred()} of {@code mine} then tells how many there were in all.
     *
     * <p>Null means that the queue was empty at some moment during the call. The items need not have been neighbours in
     * the queue: another thread may take one from between them.
     *
     * @param mine the caller's own deque; what it has no room for stays here
     * @param extraMax the most items to push on {@code mine}, besides the one that is returned
     * @return the oldest item, now the caller's alone, or null
     */
    public @Nullable E popBatchInto(WorkStealingDeque<E> mine, int extraMax) {
        if (extraMax < 0 || extraMax >= WorkStealingDeque.TRANSFER_MAX) {
            throw new IllegalArgumentException("extraMax was " + extraMax + ", must be 0.."
                    + (WorkStealingDeque.TRANSFER_MAX - 1) + ": call again for more");
        }
        int countMax = 1 + mine.makeRoom(extraMax);
        @Nullable Object[] scratch = mine.scratch;
        int count = 0;
        while (count < countMax) {
            Segment segment = firstPoppable();
            if (segment == null) {
                break;
            }
            int from = segment.poppedVolatile();
            int to = Math.min(segment.limitVolatile(), from + countMax - count);
            if (from < to && segment.casPopped(from, to)) {
                for (int index = from; index < to; index++) {
                    Object item = segment.take(index, looksMax);
                    if (item != null) {
                        scratch[count++] = item;
                    }
                }
            }
        }
        return mine.acceptScratch(count);
    }

    /**
     * Any thread. Tells whether there was nothing to pop at some moment during the call; false also while a push is under
     * way.
     *
     * <p>The reads are volatile: a thread that announces that it will sleep, and then finds this true after a full fence,
     * has missed no push that ended before the announcement. Whatever was pushed has been given to a pop.
     */
    public boolean isEmpty() {
        return firstPoppable() == null;
    }

    /** Any thread. Returns how many items there are, give or take those being pushed and popped and burnt slots. */
    public long size() {
        Segment head = this.head;
        Segment tail = this.tail;
        long popped = head.ordinal * segmentLength + head.poppedVolatile();
        long pushed = tail.ordinal * segmentLength + tail.limitVolatile();
        return Math.max(0, pushed - popped);
    }

    /** Moves the head over segments that are done. Returns the first if it had slots to pop, or null if empty. */
    private @Nullable Segment firstPoppable() {
        for (; ; ) {
            Segment segment = head;
            int popped = segment.poppedVolatile(); // before pushed
            if (popped < segment.limitVolatile()) {
                return segment;
            }
            if (popped < segmentLength) {
                return null;
            }
            Segment next = segment.nextVolatile();
            if (next == null) {
                return null;
            }
            if (next != segment) {
                TAIL.compareAndSet(this, segment, next);
                if (HEAD.compareAndSet(this, segment, next)) {
                    segment.setNextVolatile(segment);
                }
            }
        }
    }

    @SuppressWarnings("unchecked") // only push fills slots, with an E
    private E cast(Object item) {
        return (E) item;
    }

    @Override
    public String toString() {
        return "GlobalQueue[size about " + size() + ", head " + head + ", tail " + tail + "]";
    }

    /** A stretch of the queue. */
    private static final class Segment extends PaddedSegmentIndexes.AfterPopped {
        private static final VarHandle SLOT =
                arrayVarHandle(MethodHandles.lookup(), "slot", VarHandle.class, Object[].class);
        private static final VarHandle NEXT =
                fieldVarHandle(MethodHandles.lookup(), "next", VarHandle.class, Segment.class, Segment.class);

        /** How many segments came before this one. */
        final long ordinal;

        private final @Nullable Object[] slots;

        /** The segment itself, once the head has moved past it. */
        private @Nullable Segment next;

        Segment(long ordinal, int length) {
            super(0);
            this.ordinal = ordinal;
            this.slots = new @Nullable Object[length];
        }

        Segment(long ordinal, int length, Object first) {
            super(1);
            this.ordinal = ordinal;
            this.slots = new @Nullable Object[length];
            this.slots[0] = first;
        }

        /** Returns the index after the last slot that was handed to a push. */
        int limitVolatile() {
            return Math.min(pushedVolatile(), slots.length);
        }

        boolean casSlotFromNull(int index, Object item) {
            return SLOT.compareAndSet(slots, index, null, item);
        }

        /** The thread that was handed the slot to pop. Null if the push did not come; it cannot come later. */
        @Nullable
        Object take(int index, int looksMax) {
            for (int i = 0; i < looksMax && SLOT.getVolatile(slots, index) == null; i++) {
                Thread.onSpinWait();
            }
            return SLOT.getAndSet(slots, index, TAKEN);
        }

        @Nullable
        Segment nextVolatile() {
            return (Segment) NEXT.getVolatile(this);
        }

        boolean casNextFromNull(Segment next) {
            return NEXT.compareAndSet(this, null, next);
        }

        void setNextVolatile(Segment next) {
            NEXT.setVolatile(this, next);
        }

        @Override
        public String toString() {
            return "segment " + ordinal + " (popped " + poppedVolatile() + ", pushed " + pushedVolatile() + ", length "
                    + slots.length + ")";
        }
    }
}

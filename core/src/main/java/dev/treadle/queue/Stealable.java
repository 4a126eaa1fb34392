// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import org.jspecify.annotations.Nullable;

/**
 * What a thief may do to the deque of another worker: look at it, and take its oldest items.
 *
 * @param <E> the items
 */
public interface Stealable<E> {

    /**
     * Any thread. Takes the oldest item.
     *
     * <p>Null means that the deque was empty at some moment during the call. A race lost to another thread is tried
     * again.
     *
     * @return the item, now the caller's alone, or null
     */
    @Nullable
    E steal();

    /**
     * The owner of {@code mine}. Takes the older half of the items, rounded up, but no more than a fixed limit and than
     * {@code mine} has room for: the oldest is returned to be run at once, the others are pushed on {@code mine} such
     * that {@link WorkStealingDeque#pop()} yields them oldest first. {@link WorkStealingDeque#transferred()} of
     * {@code mine} then tells how many there were in all.
     *
     * <p>The oldest is returned, not pushed, so that a steal always leads to a step: thieves that only moved items from
     * deque to deque could rob each other for ever.
     *
     * <p>Half is half of what there was at some moment during the call; the owner may pop meanwhile. Null means that the
     * deque was empty at some moment during the call.
     *
     * @param mine the caller's own deque, another than this one
     * @return the oldest item, now the caller's alone, or null
     */
    @Nullable
    E stealHalfInto(WorkStealingDeque<E> mine);

    /**
     * Any thread. Returns how many items there were at some moment during the call, give or take those that are being
     * pushed and taken.
     */
    int size();

    /**
     * Any thread. Tells whether there was nothing to steal at some moment during the call.
     *
     * <p>The reads are volatile: a thread that announces that it will sleep, and then finds this true after a full
     * fence, has missed no push that came before the announcement.
     */
    boolean isEmpty();
}

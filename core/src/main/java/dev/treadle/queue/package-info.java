// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors

/**
 * The queues that hold what is ready to run: one deque per worker, one global queue for all.
 *
 * <pre>
 *   any thread --push--&gt; {@link dev.treadle.queue.GlobalQueue} --pop, popBatchInto--+
 *                        oldest first                               |
 *                                                                   v
 *        owner --push, pop (newest first)--&gt; {@link dev.treadle.queue.WorkStealingDeque} --steal, stealHalfInto--&gt; thief
 *                                                              (oldest first)
 * </pre>
 *
 * <p>Roles:
 *
 * <ul>
 *   <li><b>owner</b>: the one thread that may push on a deque and pop from it. Which thread that is may change, if the
 *       old owner's last call happens before the new owner's first.
 *   <li><b>thief</b>: any other thread. It is handed a {@link dev.treadle.queue.Stealable}, which cannot push or pop.
 *       What it steals goes to a deque that it owns itself.
 *   <li><b>any</b>: the global queue knows no roles.
 * </ul>
 *
 * <p>An item is in one queue at a time. Whoever takes it is the only one who has it, until they push it again; the
 * deque relies on this when it clears slots. No queue keeps an item reachable after it was taken.
 *
 * <p>No method blocks, and none waits for another thread to get on. What to do when all queues are empty is the
 * scheduler's business: {@code isEmpty()} is made for the second look that a worker takes before it sleeps.
 *
 * <p>Read next: {@link dev.treadle.queue.Stealable} for what a thief sees, the comment inside
 * {@link dev.treadle.queue.WorkStealingDeque} for why taking several items at once is safe here and not in the textbook,
 * {@code docs/design/0001-work-stealing-deque.md} and {@code docs/design/0002-global-queue.md} for what was tried and
 * measured.
 */
@NullMarked
package dev.treadle.queue;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/**
 * Processes of one worker that were woken, and not put in a queue, because the stack of user code overflowed just then, or
 * memory ran out; and those whose start was cut off by it. When that code has returned, and the stack is short again, the
 * former are put in a queue, and the latter too, or given up if they were not open yet. The worker's own.
 */
final class Stranded {
    /*
     * A step that recurses and sends in each frame overflows its stack anywhere, also between the compare-and-set that
     * wakes the receiver and the push that must follow. The receiver would be ready and in no queue, for ever.
     *
     * Where it overflows there is no stack left for a call. So whoever catches the error writes the fields of this class
     * himself, with no call, and whether the push had happened shows in WorkerQueues.published, which is written right after
     * it, with no call in between.
     */

    /** More than one are stranded in a turn only if user code catches the error, and sends on. */
    static final int MAX = 64;

    final @Nullable ProcessCell[] cells = new ProcessCell[MAX];

    /** Of one whose start was cut off: whether its init was called. */
    final boolean[] inited = new boolean[MAX];

    int count;

    /** When the stack is short again. */
    void putBack(WorkerQueues queues, Submissions submissions) {
        while (count > 0) {
            ProcessCell cell = cells[count - 1];
            boolean isOpen = cell != null && cell.isOpen();
            if (cell != null && isOpen) {
                Invariants.pushedAfterAll(cell);
                queues.wake(cell, false); // if memory runs out once more it stays here, until the next turn is over
            }
            cells[--count] = null;
            if (cell != null && !isOpen) {
                submissions.giveUpAfterAll(cell, inited[count]);
            }
        }
    }
}

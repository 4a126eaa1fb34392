// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/**
 * Events that were taken out of a process's {@link EventQueue} and not yet handed to a step, because a step gets only so
 * many. Consumer only; exists only while there are any.
 */
final class Backlog {
    private @Nullable EventNode signalsHead;
    private @Nullable EventNode signalsTail;
    private @Nullable EventNode othersHead;
    private @Nullable EventNode othersTail;
    private int completions;
    private int size;
    private @Nullable Kill kill;

    /** Appends a chain that is linked from the newest to the oldest. One pass: it may be long, and its memory cold. */
    void append(@Nullable EventNode newest) {
        EventNode signalsFirst = null;
        EventNode signalsLast = null;
        EventNode othersFirst = null;
        EventNode othersLast = null;
        Kill oldestKill = null;
        EventNode node = newest;
        while (node != null) {
            EventNode older = node.next;
            if (node instanceof Kill each) {
                node.next = null;
                oldestKill = each;
            } else if (node instanceof Signal) {
                node.next = signalsFirst;
                signalsFirst = node;
                signalsLast = signalsLast == null ? node : signalsLast;
            } else {
                completions += node instanceof Completion ? 1 : 0;
                node.next = othersFirst;
                othersFirst = node;
                othersLast = othersLast == null ? node : othersLast;
                size++;
            }
            node = older;
        }
        kill = kill == null ? oldestKill : kill;
        appendSignals(signalsFirst, signalsLast);
        appendOthers(othersFirst, othersLast);
    }

    private void appendSignals(@Nullable EventNode first, @Nullable EventNode last) {
        if (first != null) {
            if (signalsTail == null) {
                signalsHead = first;
            } else {
                signalsTail.next = first;
            }
            signalsTail = last;
        }
    }

    private void appendOthers(@Nullable EventNode first, @Nullable EventNode last) {
        if (first != null) {
            if (othersTail == null) {
                othersHead = first;
            } else {
                othersTail.next = first;
            }
            othersTail = last;
        }
    }

    /** Takes the next one out: signals first, the rest in order. Null if there are none. */
    @Nullable
    Event poll() {
        EventNode node = signalsHead;
        if (node != null) {
            signalsHead = node.next;
            if (signalsHead == null) {
                signalsTail = null;
            }
        } else {
            node = othersHead;
            if (node == null) {
                return null;
            }
            othersHead = node.next;
            if (othersHead == null) {
                othersTail = null;
            }
            size--;
            if (node instanceof Completion) {
                completions--;
            }
        }
        node.next = null;
        return (Event) node;
    }

    /** Moves so many to an empty batch, or all if they are fewer: signals first, the rest in order. */
    void moveTo(EventBatch batch, int max) {
        EventNode node = signalsHead;
        int count = 0;
        while (node != null && count < max) {
            node = batch.put(count++, node);
        }
        signalsHead = node;
        signalsTail = node == null ? null : signalsTail;
        int signals = count;
        node = othersHead;
        while (node != null && count < max) {
            completions -= completions > 0 && node instanceof Completion ? 1 : 0;
            node = batch.put(count++, node);
        }
        othersHead = node;
        othersTail = node == null ? null : othersTail;
        size -= count - signals;
        batch.taken(count);
    }

    /** Takes out signals that were taken back, and answers that nobody wants any more; returns how many of the latter. */
    int dropUnwanted() {
        dropRevoked();
        int dropped = 0;
        EventNode before = null;
        for (EventNode node = othersHead; node != null; node = node.next) {
            if (node instanceof YieldInFlight yield && yield.isAbandoned()) {
                if (before == null) {
                    othersHead = node.next;
                } else {
                    before.next = node.next;
                }
                if (othersTail == node) {
                    othersTail = before;
                }
                completions--;
                size--;
                dropped++;
            } else {
                before = node;
            }
        }
        return dropped;
    }

    private void dropRevoked() {
        EventNode before = null;
        for (EventNode node = signalsHead; node != null; node = node.next) {
            if (((Signal) node).isRevoked()) {
                if (before == null) {
                    signalsHead = node.next;
                } else {
                    before.next = node.next;
                }
                if (signalsTail == node) {
                    signalsTail = before;
                }
            } else {
                before = node;
            }
        }
    }

    boolean isEmpty() {
        return signalsHead == null && othersHead == null;
    }

    /** Returns whether any of them ends a wait for completions. */
    boolean hasUrgent() {
        return signalsHead != null || completions > 0;
    }

    /** Returns whether there are so many messages, and nothing else. */
    boolean hasMessages(int count) {
        return size >= count && completions == 0 && signalsHead == null && kill == null;
    }

    @Nullable
    Kill kill() {
        return kill;
    }
}

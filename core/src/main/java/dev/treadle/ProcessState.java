// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Locale;

/**
 * The word that says what a process is doing, how many messages wait for it, and whether something urgent does; and the
 * transitions of that word. {@link EventStack} keeps the word; senders there, and the consumer in {@link EventQueue}, make each
 * transition with one compare-and-set.
 */
final class ProcessState {
    /*
     * Layout of the word:
     *
     *   31 ............ 5 | 4    | 3     | 2 .. 0
     *   messages          | SIDE | WOKEN | state
     *
     *   UNBORN --open--> READY --sleep(IDLE)----> IDLE ----any event---------------> READY
     *                      |  \--sleep(BLOCKED)-> BLOCKED --completion, signal, kill-> READY
     *                      +------finish--------> COMPLETE            (a message leaves it BLOCKED)
     *
     * READY stands for both READY and RUNNING of the specification: the process is in one queue, or one worker steps
     * it. No sender needs to know which of the two, and telling them apart here would cost a compare-and-set for each
     * step. ProcessCell notes beside the word which worker runs it, and inspect() puts the two together.
     *
     * WOKEN is the wakeup flag: something that ends a wait for completions has arrived and was not handed out yet. An
     * event that arrives while the worker still owns the process raises the flag or the count; the worker's sleep()
     * then refuses to sleep, and the worker pushes the process again. There is no window between the test and the
     * sleep, because both look at the same word.
     *
     * The messages are those not yet handed to a step, and the one in hand, if there is one: SIDE tells (EventQueue).
     * Completions and signals are not counted: they are never refused.
     */
    static final int UNBORN = 0;
    static final int READY = 1;
    static final int BLOCKED = 2;
    static final int IDLE = 3;
    static final int COMPLETE = 4;

    private static final int STATE_MASK = 7;
    private static final int WOKEN = 1 << 3;
    private static final int SIDE_SHIFT = 4;
    private static final int SIDE = 1 << SIDE_SHIFT;
    private static final int COUNT_SHIFT = 5;
    private static final int MESSAGE = 1 << COUNT_SHIFT;

    /** All words of a queue with no message are less than this. */
    static final int NO_MESSAGE_END = MESSAGE;

    /** How many messages can wait at the most, whatever the bound of the mailbox: 27 bits, less the one in hand. */
    static final int MESSAGES_MAX = (1 << 27) - 2;

    private ProcessState() {}

    static int state(int word) {
        return word & STATE_MASK;
    }

    static int messages(int word) {
        return word >>> COUNT_SHIFT;
    }

    static boolean hasMessages(int word) {
        return messages(word) > 0;
    }

    static int withMessages(int word, int messages) {
        return (word & (MESSAGE - 1)) | messages << COUNT_SHIFT;
    }

    /** Returns 1 or 2. */
    static byte side(int word) {
        return (byte) ((word >>> SIDE_SHIFT & 1) + 1);
    }

    /** Returns whether the process is ready, and its queue is empty. */
    static boolean isEmpty(int word) {
        return (word & ~SIDE) == READY;
    }

    /** Returns whether the process is ready, and there is one message and nothing else in its queue. */
    static boolean isOneMessage(int word) {
        return (word & ~SIDE) == (READY | MESSAGE);
    }

    static boolean isWoken(int word) {
        return (word & WOKEN) != 0;
    }

    /** Returns whether the process is there for others: neither unborn nor complete. */
    static boolean isOpen(int word) {
        int state = state(word);
        return state != UNBORN && state != COMPLETE;
    }

    /** The word after a message was pushed. */
    static int afterMessage(int word) {
        return (state(word) == IDLE ? withState(word, READY) : word) + MESSAGE;
    }

    /** The word after a completion, a signal or a kill was pushed. */
    static int afterUrgent(int word) {
        return withState(word, READY) | WOKEN;
    }

    /** Returns whether the change from one word to the next obliges the one who made it to push the process. */
    static boolean wakes(int before, int after) {
        return state(before) != READY && state(after) == READY;
    }

    /** Returns whether a process that wants to sleep in a state must stay ready, since what would wake it is here. */
    static boolean mustStayReady(int word, int asleep) {
        return isWoken(word) || (asleep == IDLE && messages(word) > 0);
    }

    /** The word after so many messages, and all that was urgent, were taken out; urgent if some of that is left. */
    static int afterTaking(int word, int messages, boolean urgentLeft) {
        return (word - messages * MESSAGE) | (urgentLeft ? WOKEN : 0);
    }

    /** The word of a process that is ready, after all was taken out. */
    static int afterTakingAll(int word) {
        return READY | (word & SIDE);
    }

    /** The word of a process that is ready, after all was taken out, the message in hand included. */
    static int afterTakingAllBesideHand(int word) {
        return READY | ((word & SIDE) ^ SIDE);
    }

    /** The word after the message in hand was taken off. */
    static int afterPuttingDown(int word) {
        return (word - MESSAGE) ^ SIDE;
    }

    static int withoutWoken(int word) {
        return word & ~WOKEN;
    }

    static int withState(int word, int state) {
        return (word & ~STATE_MASK) | state;
    }

    static String toString(int word) {
        String[] names = {"UNBORN", "READY", "BLOCKED", "IDLE", "COMPLETE"};
        return String.format(
                Locale.ROOT,
                "%s[%d messages%s]",
                state(word) < names.length ? names[state(word)] : "state " + state(word),
                messages(word),
                isWoken(word) ? ", WOKEN" : "");
    }
}

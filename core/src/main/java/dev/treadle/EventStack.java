// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for one process, and the state of that process, in one word of memory: what any thread may do with
 * them. The one who takes them out is the owner of the process, and does so by {@link EventQueue}.
 */
class EventStack {
    /*
     * A stack of nodes, newest on top, that the consumer takes whole and turns round. Each node carries the ProcessState
     * word as it is with that node on top:
     *
     *   head -> Message(READY, 2) -> Message(READY, 1) -> null        two messages wait, the process is queued
     *   head -> marker of IDLE                                        nothing waits, the process sleeps
     *   head -> Message(UNBORN, 1) -> null                            its init still runs, and has told somebody of it
     *   head -> Marker(BLOCKED, 2) -> Message -> Message -> null      it awaits a completion, two messages wait
     *
     * A push reads the top, computes the word that follows from the top's word, and swings head from the one to the
     * other. So one compare-and-set puts the event in, counts it, refuses it if the mailbox is full or the process has
     * ended, and wakes the process if it sleeps. Whoever turned the word from asleep to READY, and nobody else, must
     * push the process to a work queue.
     *
     * Why no wake-up is lost. sleep() swings head from the top it looked at to a sleeping marker. A push comes before
     * it in the order of head's values, and then sleep() has seen its word and stays ready, or its compare-and-set fails
     * and it looks again; or after, and then the push has read the sleeping marker and wakes.
     *
     * Why ABA does no harm. Events are pushed once. Shared markers come back, but a shared marker says all there is
     * to say: if head holds the marker of IDLE again, the process sleeps again and nothing waits. Other markers are new
     * objects each time.
     *
     * At the bound. One of the messages that are counted may be in hand (EventQueue), and does not wait. A sender needs to
     * know only when the count has reached the bound. It reads head, handSide and head again. If head is
     * the same, so was the word all the time, and handSide belongs to it. What is let in is put in by a compare-and-set that
     * expects the same head, so there are never too many. A refusal is right for all that the sender can know: handSide is
     * written with release, and one who has not heard of the step in any way may find the message still waiting.
     *
     * Memory modes. All accesses to head are volatile. A push publishes the node's fields and all that the producer
     * wrote before; take() reads head and so sees it (contract line M5). sleep() publishes all that the step wrote to
     * whoever wakes the process next (P2).
     *
     * Progress. Lock-free. A push is retried only if another push or the consumer was faster.
     */

    /** What became of a push, and what its caller must do. */
    enum Push {
        /** It is in. The process is awake, or sleeps on: nothing to do. */
        QUEUED,
        /** It is in, behind {@link #CROWD} others or more: whoever sends more of them should let the process run first. */
        CROWDED,
        /** It is in, and the process was asleep: the caller must push the process to a work queue. */
        WAKE,
        /** It is a message, and the mailbox is full. */
        FULL,
        /** The process has ended; or it is not born yet, and this is no message. */
        CLOSED
    }

    /** With so many messages a mailbox is crowded: four steps of the default budget, and the first cache holds them. */
    static final int CROWD = 256;

    /** How often a report looks for a top that stays while it looks at what is in hand. */
    private static final int LOOKS_MAX = 16;

    private static final VarHandle HEAD =
            fieldVarHandle(MethodHandles.lookup(), "head", VarHandle.class, EventStack.class, EventNode.class);

    private static final VarHandle HAND_SIDE =
            fieldVarHandle(MethodHandles.lookup(), "handSide", VarHandle.class, EventStack.class, byte.class);

    private volatile EventNode head;

    /** The {@link ProcessState#side} of the word with which a message was last in hand; 0 if none ever was. */
    private byte handSide;

    @SuppressWarnings("NullAway.Init") // it does not see through the handle
    EventStack() {
        HEAD.set(this, Marker.UNBORN); // plain: nobody sees this object yet, and a volatile write costs a fence
    }

    /**
     * The submitter, once, when the process is initialised: from now on all events may be pushed. It is ready, and the
     * caller must push it to a work queue; unless this returns false, because {@link #doom} came first.
     */
    @CheckReturnValue
    final boolean open() {
        return leaveUnborn(ProcessState.READY);
    }

    /**
     * Any thread. Ends a process that was not born yet, so that it never will be; false if it was. What was sent to it
     * stays for {@link EventQueue#finish}.
     */
    @CheckReturnValue
    final boolean doom() {
        return leaveUnborn(ProcessState.COMPLETE);
    }

    private boolean leaveUnborn(int state) {
        while (true) {
            EventNode top = head;
            if (ProcessState.state(top.word) != ProcessState.UNBORN) {
                return false;
            }
            if (HEAD.compareAndSet(this, top, Marker.of(ProcessState.withState(top.word, state), below(top)))) {
                return true;
            }
        }
    }

    /**
     * Any thread. Puts a message in, unless it is one too many. One that comes before the process is born waits for that:
     * its init has given out its address, or set a timer.
     *
     * @param capacity how many may wait at the most
     */
    @CheckReturnValue
    final Push pushMessage(Message message, int capacity) {
        while (true) {
            EventNode top = head;
            int word = top.word;
            if (ProcessState.state(word) == ProcessState.COMPLETE) {
                return Push.CLOSED;
            }
            if (ProcessState.messages(word) >= capacity && waiting(word) >= capacity) {
                if (head == top) {
                    return Push.FULL;
                }
                continue; // what was in hand belongs to another top
            }
            int after = ProcessState.afterMessage(word);
            Push done = ProcessState.wakes(word, after)
                    ? Push.WAKE
                    : ProcessState.messages(after) > CROWD ? Push.CROWDED : Push.QUEUED;
            if (swing(top, message, after)) {
                return done; // no call between the swing and here: a stack that overflows must not swallow a wake-up
            }
        }
    }

    /** Any thread. Puts in what is never refused while the process lives: a completion, a signal or a kill. */
    @CheckReturnValue
    final Push pushUrgent(EventNode node) {
        while (true) {
            EventNode top = head;
            int word = top.word;
            if (!ProcessState.isOpen(word)) {
                return Push.CLOSED;
            }
            int after = ProcessState.afterUrgent(word);
            Push done = ProcessState.wakes(word, after) ? Push.WAKE : Push.QUEUED;
            if (swing(top, node, after)) {
                return done;
            }
        }
    }

    private boolean swing(EventNode top, EventNode node, int word) {
        node.next = below(top);
        node.word = word;
        return HEAD.compareAndSet(this, top, node);
    }

    /** Returns the events of a top: itself and what is below, or only what is below a marker. */
    static @Nullable EventNode below(EventNode top) {
        return top instanceof Marker ? top.next : top;
    }

    /** Any thread: whether a message is in hand while this is the word. Others must look whether head is still the same. */
    final boolean isInHand(int word) {
        return ProcessState.hasMessages(word) && isOfHandSide(word);
    }

    /** Any thread: the same, if it is known that there are messages. */
    final boolean isOfHandSide(int word) {
        return (byte) HAND_SIDE.getAcquire(this) == ProcessState.side(word);
    }

    /** Any thread: how many messages wait while this is the word. Exact if head is still the same afterwards. */
    final int waiting(int word) {
        return ProcessState.messages(word) - (isInHand(word) ? 1 : 0);
    }

    /** Any thread. Publishes what it wrote to whoever changes the state next, and sees what the last one wrote. */
    final void touch() {
        EventNode top;
        do {
            top = head;
        } while (!HEAD.compareAndSet(this, top, top));
    }

    /** Any thread. Whether more than {@link #CROWD} messages wait at this moment. */
    final boolean isCrowded() {
        return waiting() > CROWD;
    }

    /** Any thread. How many messages wait, as of some moment. */
    final int waiting() {
        return waiting(head.word);
    }

    /**
     * Any thread. The {@link ProcessState} word of this moment, with the message in hand taken out of its count. If the top
     * changes at each look, the message in hand may still be counted.
     */
    final int shownWord() {
        EventNode top = head;
        for (int looks = 0; looks < LOOKS_MAX; looks++) {
            int shown = ProcessState.withMessages(top.word, waiting(top.word));
            EventNode now = head;
            if (now == top) {
                return shown;
            }
            top = now;
        }
        return top.word;
    }

    /** Any thread. The {@link ProcessState} word of this moment. */
    final int word() {
        return head.word;
    }

    // For the consumer.

    final EventNode topVolatile() {
        return head;
    }

    @CheckReturnValue
    final boolean casTop(EventNode before, EventNode after) {
        return HEAD.compareAndSet(this, before, after);
    }

    final EventNode getAndSetTop(EventNode after) {
        return (EventNode) HEAD.getAndSet(this, after);
    }

    final void setHandSideRelease(byte side) {
        HAND_SIDE.setRelease(this, side); // pairs with isInHand()
    }

    @Override
    public String toString() {
        return ProcessState.toString(head.word);
    }
}

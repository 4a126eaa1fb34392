// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for one process, and the state of that process, in one word of memory. Many producers, one
 * consumer: the worker that owns the process.
 *
 * <p>A process is its own queue ({@link ProcessCell} extends this class), so that it costs no second object.
 */
class EventQueue {
    /*
     * A stack of nodes, newest on top, that the consumer takes whole and turns round. Each node carries the ProcessState
     * word as it is with that node on top:
     *
     *   head -> Message(READY, 2) -> Message(READY, 1) -> null        two messages wait, the process is queued
     *   head -> Marker.IDLE                                           nothing waits, the process sleeps
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
     * to say: if head holds Marker.IDLE again, the process sleeps again and nothing waits. Other markers are new
     * objects each time.
     *
     * Exact count. The word's count is lowered by the same compare-and-set that takes the messages: by all that wait, when
     * that fits into one step; else by the share of this step, and the rest moves to the backlog, still counted. As long as
     * the backlog fills a step, and nothing urgent waits, what came since is left where it is. So the count is at every moment
     * the number of messages that no step was given.
     *
     * In hand. A message that waits alone is not taken off head at all: the step gets it while it stays on top, and the
     * compare-and-set that puts the process to sleep takes it off. So a hop from process to process costs one less. While it
     * is in hand it is in the word's count, and does not wait: handSide tells, by holding the side of the word. Whatever
     * takes it off turns the word to the other side, so an old handSide never fits: a side comes back only when another
     * message was in hand meanwhile, and that has set handSide. The owner puts it down before anything else is done with the
     * queue, so it is always the oldest of the chain, with nothing below. If the process stays ready because others came, it
     * stays in hand until the next step, maybe another worker's, takes them: one compare-and-set for both.
     *
     * A sender needs to know only when the count has reached the bound. It reads head, handSide and head again. If head is
     * the same, so was the word all the time, and handSide belongs to it. What is let in is put in by a compare-and-set that
     * expects the same head, so there are never too many. A refusal is right for all that the sender can know: handSide is
     * written with release, and one who has not heard of the step in any way may find the message still waiting.
     *
     * With urgent events among them the share is known only after a walk, during which a sender must not make the
     * compare-and-set fail: it could do so for ever. Then all is taken with one and the count lowered with a second. A message
     * that comes between the two may be refused though the step has room for it; the count is exact all the same.
     *
     * Memory modes. All accesses to head are volatile. A push publishes the node's fields and all that the producer
     * wrote before; take() reads head and so sees it (contract line M5). sleep() publishes all that the step wrote to
     * whoever wakes the process next (P2). backlog is the consumer's own, and goes from worker to worker by the same
     * way as the process's own fields.
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
            fieldVarHandle(MethodHandles.lookup(), "head", VarHandle.class, EventQueue.class, EventNode.class);

    private static final VarHandle HAND_SIDE =
            fieldVarHandle(MethodHandles.lookup(), "handSide", VarHandle.class, EventQueue.class, byte.class);

    private volatile EventNode head;

    private @Nullable Backlog backlog;

    /** The {@link ProcessState#side} of the word with which a message was last in hand; 0 if none ever was. */
    private byte handSide;

    @SuppressWarnings("NullAway.Init") // it does not see through the handle
    EventQueue() {
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
     * stays for {@link #finish}.
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
    private static @Nullable EventNode below(EventNode top) {
        return top instanceof Marker ? top.next : top;
    }

    /**
     * Consumer only, at the start of a step. Moves what waits into the batch, in order, signals first, up to the budget.
     *
     * @return the order to end the process, if there is one; the batch is then empty, and the events stay for {@link
     *     #finish}
     */
    final @Nullable Kill take(Events batch, int budget) {
        EventNode top = head;
        if (isInHand(top.word)) {
            if (takeBesideHand(batch, budget)) {
                return null;
            }
            putDown();
            top = head;
        }
        if (ProcessState.isOneMessage(top.word) && backlog == null && top instanceof Message message) {
            HAND_SIDE.setRelease(this, ProcessState.side(top.word)); // pairs with waiting()
            batch.addOnly(message);
            return null;
        }
        if (backlog == null) {
            while (fits(top, budget)) {
                if (ProcessState.isEmpty(top.word) || !ProcessState.isOpen(top.word)) {
                    return null; // or a shutdown that ran out of time has ended the process in our hands
                }
                if (HEAD.compareAndSet(this, top, Marker.of(ProcessState.afterTakingAll(top.word), null))) {
                    return fill(batch, top);
                }
                top = head;
            }
        }
        return takeSome(batch, budget);
    }

    /** Takes off the message in hand, and hands out what came since. False if that is not messages alone, or too many. */
    private boolean takeBesideHand(Events batch, int budget) {
        EventNode top;
        int count;
        do {
            top = head;
            count = ProcessState.messages(top.word) - 1;
            if (ProcessState.isWoken(top.word) || backlog != null || count > budget) {
                return false;
            }
        } while (!HEAD.compareAndSet(this, top, Marker.of(ProcessState.afterTakingAllBesideHand(top.word), null)));
        handOut(batch, top, count);
        batch.markPlain();
        return true;
    }

    /** Any thread: whether a message is in hand while this is the word. Others must look whether head is still the same. */
    private boolean isInHand(int word) {
        return ProcessState.hasMessages(word) && (byte) HAND_SIDE.getAcquire(this) == ProcessState.side(word);
    }

    /** Any thread: how many messages wait while this is the word. Exact if head is still the same afterwards. */
    final int waiting(int word) {
        return ProcessState.messages(word) - (isInHand(word) ? 1 : 0);
    }

    /** Consumer only, before anything else is done with the queue: takes off the message in hand, if there is one. */
    final void putDown() {
        EventNode top;
        EventNode others;
        do {
            top = head;
            if (!isInHand(top.word)) {
                return;
            }
            others = top.next == null ? null : top;
        } while (!HEAD.compareAndSet(this, top, Marker.of(ProcessState.afterPuttingDown(top.word), others)));
        if (others != null) {
            cutOldest(others); // not before: memory may run out for the marker, and then the end would cut once more
        }
    }

    private static void cutOldest(EventNode newest) {
        EventNode node = newest;
        EventNode older = newest.next;
        while (older != null && older.next != null) {
            node = older;
            older = older.next;
        }
        node.next = null;
    }

    /** Returns whether all that waits can be handed to one step. */
    private static boolean fits(EventNode top, int budget) {
        int word = top.word;
        int messages = ProcessState.messages(word);
        if (!ProcessState.isWoken(word) || messages > budget) {
            return messages <= budget;
        }
        int room = budget;
        for (EventNode node = below(top); node != null; node = node.next) {
            if (--room < 0) {
                return false;
            }
        }
        return true;
    }

    /** Hands out a whole chain that was taken off head. */
    private @Nullable Kill fill(Events batch, EventNode top) {
        if (ProcessState.isWoken(top.word)) {
            if (top.next == null && top instanceof Event only && !(only instanceof Signal)) {
                batch.add(only);
                return null;
            }
            var all = new Backlog();
            all.append(below(top));
            return drain(batch, all, Integer.MAX_VALUE);
        }
        handOut(batch, below(top), ProcessState.messages(top.word));
        batch.markPlain();
        return null;
    }

    /** Hands out so many events from the top of a chain, none of them a signal. What is below was in hand. */
    private static void handOut(Events batch, @Nullable EventNode newest, int count) {
        batch.size(count);
        EventNode node = newest;
        for (int index = count - 1; index >= 0; index--) {
            EventNode older = Objects.requireNonNull(node, "fewer events wait than were counted").next;
            node.next = null;
            batch.put(index, (Event) node);
            node = older;
        }
        assert node == null || node.next == null : "more events wait than were counted";
    }

    /** Hands out as much of the backlog as the budget allows, or nothing if there is an order to end. */
    private @Nullable Kill drain(Events batch, Backlog from, int budget) {
        Kill kill = from.kill();
        if (kill != null) {
            backlog = from;
            return kill;
        }
        while (batch.size() < budget) {
            Event event = from.poll();
            if (event == null) {
                break;
            }
            batch.add(event);
        }
        backlog = from.isEmpty() ? null : from;
        return null;
    }

    /** Consumer only. Whether nothing waits at this moment. */
    final boolean isNothingQueued() {
        int word = head.word;
        boolean empty = ProcessState.isEmpty(word) || (ProcessState.isOneMessage(word) && isInHand(word));
        return empty && backlog == null;
    }

    /**
     * Consumer only, instead of {@link #take}: hands out a chain of answers that never were in this queue, if nothing else
     * waits and they are not too many.
     */
    @CheckReturnValue
    final boolean takeAnswers(Events batch, int budget, @Nullable EventNode newest) {
        if (!isNothingQueued()) {
            return false;
        }
        if (newest instanceof Event only && newest.next == null) {
            batch.addOnly(only);
            return true;
        }
        int count = 0;
        for (EventNode node = newest; node != null; node = node.next) {
            count++;
        }
        if (count > budget) {
            return false;
        }
        handOut(batch, newest, count);
        batch.markPlain();
        return true;
    }

    /** Consumer only: puts in a chain of answers that were given before all that waits now; it is taken first. */
    final void putAside(@Nullable EventNode newest) {
        assert backlog == null : "answers on the spot are kept only while nothing waits";
        putDown();
        var all = new Backlog();
        all.append(newest);
        backlog = all;
        EventNode top;
        do {
            top = head;
        } while (!HEAD.compareAndSet(this, top, Marker.of(ProcessState.afterUrgent(top.word), below(top))));
    }

    /** Consumer only: moves what waits to the backlog, where it can be looked at; it is taken from there next. */
    final Backlog takeAside() {
        putDown();
        EventNode top;
        do {
            top = head;
        } while (!HEAD.compareAndSet(this, top, Marker.of(ProcessState.withoutWoken(top.word), null)));
        Backlog all = backlog == null ? new Backlog() : backlog;
        all.append(below(top));
        backlog = all;
        return all;
    }

    private @Nullable Kill takeSome(Events batch, int budget) {
        if (backlog != null && backlog.hasMessages(budget) && takeFromBacklog(batch, backlog, budget)) {
            return null;
        }
        Backlog all = backlog == null ? new Backlog() : backlog;
        return all.hasMessages(0) && takeMessages(batch, all, budget) ? null : takeUrgent(batch, all, budget);
    }

    /**
     * There are enough in the backlog, all messages. What came since is left alone: its memory is another worker's, who is
     * most likely about to send the next. False if it may have to go first.
     */
    private boolean takeFromBacklog(Events batch, Backlog from, int budget) {
        EventNode top;
        do {
            top = head;
            if (ProcessState.isWoken(top.word)) {
                return false;
            }
        } while (!HEAD.compareAndSet(
                this, top, Marker.of(ProcessState.afterTaking(top.word, budget, false), below(top))));
        drain(batch, from, budget);
        batch.markPlain();
        return true;
    }

    /** There are messages only, so the word alone tells what the step gets. False if there is something else. */
    private boolean takeMessages(Events batch, Backlog all, int budget) {
        EventNode top;
        int share;
        do {
            top = head;
            if (ProcessState.isWoken(top.word)) {
                return false;
            }
            share = Math.min(budget, ProcessState.messages(top.word));
        } while (!HEAD.compareAndSet(this, top, Marker.of(ProcessState.afterTaking(top.word, share, false), null)));
        all.append(below(top));
        drain(batch, all, budget);
        assert batch.messages() == share : "a step got other events than were counted for it";
        batch.markPlain();
        return true;
    }

    private @Nullable Kill takeUrgent(Events batch, Backlog all, int budget) {
        EventNode top;
        do {
            top = head;
        } while (!HEAD.compareAndSet(this, top, Marker.of(ProcessState.withoutWoken(top.word), null)));
        all.append(below(top));
        Kill kill = drain(batch, all, budget);
        int messages = batch.messages();
        boolean urgentLeft = all.hasUrgent();
        do {
            top = head;
        } while (!HEAD.compareAndSet(
                this, top, Marker.of(ProcessState.afterTaking(top.word, messages, urgentLeft), below(top))));
        return kill;
    }

    /**
     * Consumer only, after a step. Puts the process to sleep, unless what would wake it is here already.
     *
     * @param state {@link ProcessState#IDLE} or {@link ProcessState#BLOCKED}
     * @return whether it sleeps now, and belongs to whoever wakes it; if not, the caller must push it again
     */
    @CheckReturnValue
    final boolean sleep(int state) {
        while (true) {
            EventNode top = head;
            int word = top.word;
            EventNode below = below(top);
            if (isInHand(word)) {
                boolean alone = ProcessState.isOneMessage(word);
                word = ProcessState.afterPuttingDown(word);
                if (!alone && !ProcessState.mustStayReady(word, state)) {
                    putDown();
                    continue;
                }
                below = null;
            }
            if (ProcessState.mustStayReady(word, state)) {
                return false;
            }
            if (HEAD.compareAndSet(this, top, Marker.of(ProcessState.withState(word, state), below))) {
                return true;
            }
        }
    }

    /**
     * Consumer only, once, when the process has ended: refuses all that comes, and returns all that was not handed out; null
     * if that is nothing.
     */
    final @Nullable Backlog finish() {
        EventNode top = (EventNode) HEAD.getAndSet(this, Marker.COMPLETE);
        Backlog left = backlog;
        backlog = null;
        EventNode below = below(top);
        if (isInHand(top.word)) {
            if (top.next == null) {
                return left;
            }
            cutOldest(top);
        }
        if (below != null) {
            left = left == null ? new Backlog() : left;
            left.append(below);
        }
        return left;
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

    @Override
    public String toString() {
        return ProcessState.toString(head.word);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/**
 * The events that wait for one process, and the state of that process. Many producers ({@link EventStack}), one
 * consumer: the worker that owns the process. This is what the consumer does.
 *
 * <p>A process is its own queue ({@link ProcessCell} extends this class), so that it costs no second object.
 */
class EventQueue extends EventStack {
    /*
     * The consumer takes the whole stack off head with one compare-and-set. EventStack says what head is, and why no wake-up
     * is lost.
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
     * With urgent events among them the share is known only after a walk, during which a sender must not make the
     * compare-and-set fail: it could do so for ever. Then all is taken with one and the count lowered with a second. A message
     * that comes between the two may be refused though the step has room for it; the count is exact all the same.
     *
     * backlog is the consumer's own, and goes from worker to worker by the same way as the process's own fields.
     */
    private @Nullable Backlog backlog;

    /**
     * Consumer only, at the start of a step. Moves what waits into the batch, in order, signals first, up to the budget.
     *
     * @return the order to end the process, if there is one; the batch is then empty, and the events stay for {@link
     *     #finish}
     */
    final @Nullable Kill take(EventBatch batch, int budget) {
        EventNode top = topVolatile();
        int word = top.word;
        if (backlog == null) { // the two most usual cases
            if (ProcessState.isOneMessage(word) && !isOfHandSide(word) && top instanceof Message message) {
                setHandSideRelease(ProcessState.side(word));
                batch.takeOnly(message);
                return null;
            }
            if (ProcessState.isEmpty(word)) {
                return null;
            }
        }
        return takeOthers(batch, budget);
    }

    private @Nullable Kill takeOthers(EventBatch batch, int budget) {
        if (isInHand(topVolatile().word)) {
            if (takeBesideHand(batch, budget)) {
                return null;
            }
            putDown();
        }
        EventNode top = topVolatile();
        if (backlog == null) {
            while (fits(top, budget)) {
                if (ProcessState.isEmpty(top.word) || !ProcessState.isOpen(top.word)) {
                    return null; // or a shutdown that ran out of time has ended the process in our hands
                }
                Backlog sorted = mustBeSorted(top) ? new Backlog() : null; // first: memory may run out
                if (casTop(top, Marker.of(ProcessState.afterTakingAll(top.word), null))) {
                    return fill(batch, top, sorted);
                }
                top = topVolatile();
            }
        }
        return takeSome(batch, budget);
    }

    /** Takes off the message in hand, and hands out what came since. False if that is not messages alone, or too many. */
    private boolean takeBesideHand(EventBatch batch, int budget) {
        EventNode top;
        int count;
        do {
            top = topVolatile();
            count = ProcessState.messages(top.word) - 1;
            if (!ProcessState.isOpen(top.word)) {
                return true; // a shutdown that ran out of time has ended the process in our hands: nothing for a step
            }
            if (ProcessState.isWoken(top.word) || backlog != null || count > budget) {
                return false;
            }
        } while (!casTop(top, Marker.of(ProcessState.afterTakingAllBesideHand(top.word), null)));
        batch.takeNewestFirst(top, count);
        batch.markPlain();
        return true;
    }

    /** Consumer only, before anything else is done with the queue: takes off the message in hand, if there is one. */
    final void putDown() {
        EventNode top;
        EventNode others;
        do {
            top = topVolatile();
            if (!isInHand(top.word)) {
                return;
            }
            others = top.next == null ? null : top;
        } while (!casTop(top, Marker.of(ProcessState.afterPuttingDown(top.word), others)));
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

    /** Whether signals or orders may be in a chain, which go before the rest. One event alone needs no order. */
    private static boolean mustBeSorted(EventNode top) {
        boolean isAlone = top.next == null && top instanceof Event && !(top instanceof Signal);
        return ProcessState.isWoken(top.word) && !isAlone;
    }

    /** Hands out a whole chain that was taken off head, by way of an empty backlog if it must be sorted. */
    private @Nullable Kill fill(EventBatch batch, EventNode top, @Nullable Backlog sorted) {
        if (sorted != null) {
            sorted.append(below(top));
            return drain(batch, sorted, Integer.MAX_VALUE);
        }
        if (ProcessState.isWoken(top.word)) {
            batch.takeNewestFirst(top, 1);
            return null;
        }
        batch.takeNewestFirst(below(top), ProcessState.messages(top.word));
        batch.markPlain();
        return null;
    }

    /** Hands out as much of the backlog as the budget allows, or nothing if there is an order to end. */
    private @Nullable Kill drain(EventBatch batch, Backlog from, int budget) {
        Kill kill = from.kill();
        if (kill != null) {
            backlog = from;
            return kill;
        }
        from.moveTo(batch, budget);
        backlog = from.isEmpty() ? null : from;
        return null;
    }

    /** Consumer only. Whether nothing waits at this moment. */
    final boolean isNothingQueued() {
        int word = topVolatile().word;
        boolean empty = ProcessState.isEmpty(word) || (ProcessState.isOneMessage(word) && isOfHandSide(word));
        return empty && backlog == null;
    }

    /**
     * Consumer only, instead of {@link #take}: hands out a chain of answers that never were in this queue, if nothing else
     * waits and they are not too many.
     */
    @CheckReturnValue
    final boolean takeAnswers(EventBatch batch, int budget, EventNode newest) {
        if (!isNothingQueued()) {
            return false;
        }
        if (newest instanceof Event only && newest.next == null) {
            batch.takeOnly(only);
            return true;
        }
        int count = 0;
        for (EventNode node = newest; node != null; node = node.next) {
            count++;
        }
        if (count > budget) {
            return false;
        }
        batch.takeNewestFirst(newest, count);
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
            top = topVolatile();
        } while (!casTop(top, Marker.of(ProcessState.afterUrgent(top.word), below(top))));
    }

    /** Consumer only: moves what waits to the backlog, where it can be looked at; it is taken from there next. */
    final Backlog takeAside() {
        putDown();
        EventNode top;
        do {
            top = topVolatile();
        } while (!casTop(top, Marker.of(ProcessState.withoutWoken(top.word), null)));
        Backlog all = backlog == null ? new Backlog() : backlog;
        all.append(below(top));
        backlog = all;
        return all;
    }

    private @Nullable Kill takeSome(EventBatch batch, int budget) {
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
    private boolean takeFromBacklog(EventBatch batch, Backlog from, int budget) {
        EventNode top;
        do {
            top = topVolatile();
            if (ProcessState.isWoken(top.word)) {
                return false;
            }
        } while (!casTop(top, Marker.of(ProcessState.afterTaking(top.word, budget, false), below(top))));
        drain(batch, from, budget);
        batch.markPlain();
        return true;
    }

    /** There are messages only, so the word alone tells what the step gets. False if there is something else. */
    private boolean takeMessages(EventBatch batch, Backlog all, int budget) {
        EventNode top;
        int share;
        do {
            top = topVolatile();
            if (ProcessState.isWoken(top.word)) {
                return false;
            }
            share = Math.min(budget, ProcessState.messages(top.word));
        } while (!casTop(top, Marker.of(ProcessState.afterTaking(top.word, share, false), null)));
        all.append(below(top));
        drain(batch, all, budget);
        assert batch.messages() == share : "a step got other events than were counted for it";
        batch.markPlain();
        return true;
    }

    private @Nullable Kill takeUrgent(EventBatch batch, Backlog all, int budget) {
        EventNode top;
        do {
            top = topVolatile();
        } while (!casTop(top, Marker.of(ProcessState.withoutWoken(top.word), null)));
        all.append(below(top));
        Kill kill = drain(batch, all, budget);
        int messages = batch.messages();
        boolean urgentLeft = all.hasUrgent();
        do {
            top = topVolatile();
        } while (!casTop(top, Marker.of(ProcessState.afterTaking(top.word, messages, urgentLeft), below(top))));
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
        EventNode top = topVolatile();
        int word = top.word;
        if (ProcessState.isOneMessage(word) && isOfHandSide(word)) { // the most usual case: nothing came since
            int asleep = ProcessState.withState(ProcessState.afterPuttingDown(word), state);
            if (casTop(top, Marker.bare(asleep))) {
                return true;
            }
        }
        return sleepIfNothingCame(state);
    }

    private boolean sleepIfNothingCame(int state) {
        while (true) {
            EventNode top = topVolatile();
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
            if (casTop(top, Marker.of(ProcessState.withState(word, state), below))) {
                return true;
            }
        }
    }

    /**
     * Consumer only, once, when the process has ended: refuses all that comes, and returns all that was not handed out; null
     * if that is nothing.
     */
    final @Nullable Backlog finish() {
        EventNode top = getAndSetTop(Marker.COMPLETE);
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
}

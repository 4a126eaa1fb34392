// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.queue.WorkStealingDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ready processes of one worker, and the order in which it takes them. Only the worker puts in and takes out by this;
 * others see them as {@link SharedQueues}.
 */
sealed class WorkerQueues extends SharedQueues {
    /*
     * Where a worker finds work, in this order:
     *
     *   next     the process that the last step woke first: a hand-off (NextSlot)
     *   deque    its own, newest first
     *   global   the oldest there, and up to GLOBAL_BATCH more into the deque
     *   later    its own processes that said again() or have events left: behind all the above, oldest first
     *   last     those of them that have just sent to a crowded mailbox: let it be emptied first
     *   others   half of another worker's deque, or of its later queue; or of its last one (WorkSearch)
     *
     * So that nobody starves behind newer work, a worker looks at the far ends every LOOK_TURNS turns, or about every
     * LOOK_NANOS if its steps are long: it puts what is in next, and now and then the oldest of last, behind all others in
     * later; then one turn each goes to the global queue, to the oldest of the deque and to the oldest of later. Another look does not
     * begin before each of them had its turn: if steps are so long that a look is due after each, the first ones would have
     * all of them. The oldest of last goes to later, and is not run at once, so that on this worker
     * who fills a mailbox does not run more often than who empties it.
     *
     * Signals. Whoever puts work in a queue signals it after a full fence, or a worker might go to sleep over it (Sleepers).
     * For what stays ready behind others the fence costs as much as the turn it waits for. So the signal waits until the next
     * process is found. If that is the oldest of later, no fence is needed: a worker that is about to sleep has announced
     * it, and then reads top of later before its bottom. If find() does not see the announcement, then
     * popOldest's compare-and-set of top comes before that read, which sees it, and so the push before it. All of these but
     * the push are volatile.
     *
     * Those in last may have to rest, if the receiver is at another worker (CrowdRest): find() then gives nothing.
     *
     * The clock costs as much as a short step, so it is read only at a look, or if some may have to rest. The number of turns
     * until the next look follows from how long the last ones took.
     */

    /** How many processes a worker takes from the global queue besides the one it runs. */
    static final int GLOBAL_BATCH = 16;

    /** After this many turns a worker looks at the far ends of the queues. */
    static final int LOOK_TURNS = 61;

    /** After this long a worker looks at the far ends of the queues. */
    static final long LOOK_NANOS = 200_000;

    /** At every so manieth look, if turns are short, a worker looks whether others have fewer processes behind. */
    static final int SHARE_LOOKS = 8;

    /** One part of so many that another worker has fewer of is not worth it to move any. */
    static final int SHARE_PART = 8;

    /** Which queue has the next turn of a look. */
    private enum Due {
        NONE,
        GLOBAL,
        DEQUE,
        LATER
    }

    private final WorkerGroup group;
    private final TimeSource time;
    private final boolean rests;

    /** Whether {@link #wake} has put its process in: see {@link Stranded}. */
    boolean published;

    /** The last turn whose process has sent to a mailbox that is crowded. */
    private long turnCrowding;

    /** Whether something was put behind others, and nobody was signalled yet. */
    private boolean signalDue;

    /** Whether the last turn ended with the sleep of its process: see {@link NextSlot}. */
    private boolean sleptLast;

    /** How many turns until a look begins; 1 while one is under way. */
    private int turnsUntilLook = LOOK_TURNS;

    private int turnsPlanned = LOOK_TURNS;

    private int looksUntilShare = SHARE_LOOKS;

    /** How many turns the look that is under way, or the last one, has taken. */
    private int turnsOfLook;

    private long lookedNanos;
    private Due due = Due.NONE;

    /** Takes the index of the worker, and whether it may rest, which needs a thread that can wait. */
    WorkerQueues(WorkerGroup group, TimeSource time, int index, boolean rests) {
        super(index);
        this.group = group;
        this.time = time;
        this.rests = rests;
        this.lookedNanos = time.nanos();
    }

    /** The thread that takes the worker's part from now on; null if none does. */
    void bindOwner(@Nullable Thread thread) {
        deque.bindOwner(thread);
        later.bindOwner(thread);
        last.bindOwner(thread);
    }

    // Taking out. The worker only.

    /** The next process to run, or null if there is none here and in the global queue. */
    @Nullable
    ProcessCell find() {
        boolean slept = sleptLast;
        if (slept) {
            sleptLast = false;
        } else {
            next.oweFence(); // also if a look finds what runs next, and the slot is not touched
        }
        ProcessCell cell = findBeforeLater(slept);
        if (cell != null) {
            signalIfDue();
            return cell;
        }
        cell = later.popOldest();
        if (cell == null) {
            signalIfDue();
            return findLast();
        }
        if (signalDue) {
            signalDue = false;
            group.wakeOne(); // popOldest was its fence
        }
        return cell;
    }

    private @Nullable ProcessCell findLast() {
        if (last.isEmptyToOwner()) {
            rest.end();
            return null;
        }
        return rest.isDue() && rest.holds(System.nanoTime()) ? null : last.popOldest();
    }

    /** The worker, when {@link #find} gave nothing: whether that is because some rest. */
    boolean isResting() {
        return rest.isOn();
    }

    /** While the worker rests: what came from elsewhere, or one of those that have sent to a crowded mailbox, after its rest. */
    @Nullable
    ProcessCell findWhileResting() {
        ProcessCell cell = group.popGlobal(deque);
        if (cell == null) {
            return findLast();
        }
        rest.interrupt();
        return cell;
    }

    private @Nullable ProcessCell findBeforeLater(boolean slept) {
        if (--turnsUntilLook <= 0) {
            ProcessCell cell = lookAtFarEnds();
            if (cell != null) {
                return cell;
            }
        }
        ProcessCell cell = next.takeAfterTurn(slept);
        if (cell == null) {
            cell = deque.pop();
        }
        return cell != null ? cell : group.popGlobal(deque);
    }

    /** Before any code runs but that which looks for work. */
    void signalIfDue() {
        if (signalDue) {
            signalDue = false;
            group.signalWork();
        }
    }

    /** A process takes another turn without having been put in. False if the worker must look at the far ends first. */
    @CheckReturnValue
    boolean countTurn() {
        if (turnsUntilLook <= 1) {
            return false;
        }
        turnsUntilLook--;
        return true;
    }

    /** The process of this turn has sent to a mailbox that is crowded. */
    void crowds(long turn, ProcessCell receiver) {
        turnCrowding = turn;
        if (rests) {
            rest.crowds(receiver);
        }
    }

    /** A turn is over, but for the sleep of its process, which comes next. */
    void leave(long turn) {
        next.leave(turn);
    }

    /** That sleep was not refused. */
    void slept() {
        sleptLast = true;
    }

    /** Begins a look, or goes on with it; null if no queue that is looked at has anything any more. */
    private @Nullable ProcessCell lookAtFarEnds() {
        if (due == Due.NONE) {
            planNextLook();
            beginLook();
        }
        ProcessCell cell = null;
        while (cell == null && due != Due.NONE) {
            cell = look();
        }
        turnsOfLook++;
        turnsUntilLook = due == Due.NONE ? Math.max(1, turnsPlanned - turnsOfLook + 1) : 1;
        return cell;
    }

    private void planNextLook() {
        long now = time.nanos();
        long perTurn = Math.max(1, (now - lookedNanos) / Math.max(turnsPlanned, turnsOfLook));
        lookedNanos = now;
        int turnsMax = Math.min(LOOK_TURNS, 2 * turnsPlanned); // one short step among long ones tells little
        turnsPlanned = (int) Math.max(1, Math.min(turnsMax, LOOK_NANOS / perTurn));
        turnsOfLook = 0;
    }

    private void beginLook() {
        due = Due.GLOBAL;
        boolean others = !deque.isEmptyToOwner() || !later.isEmptyToOwner();
        ProcessCell handedOff = next.take();
        if (handedOff != null) {
            put(later, handedOff);
        }
        ProcessCell waited = !last.isEmptyToOwner() && mayRunOfLast() ? last.popOldest() : null;
        if (waited != null) {
            put(later, waited);
        }
        boolean both = handedOff != null && waited != null;
        if (both || (others && (handedOff != null || waited != null))) {
            group.signalWork(); // on their way they were in no queue; one that is alone runs at once, as in pushBehind
        }
    }

    /**
     * Whether a look may put one of last behind the others. If turns are so long that a look is due after each, each may: what
     * they send is little beside what they do, and it is then for others to take, too.
     */
    private boolean mayRunOfLast() {
        return turnsPlanned == 1 || rest.isOver(System.nanoTime());
    }

    /** The next turn of a look; null if that queue is empty. */
    private @Nullable ProcessCell look() {
        switch (due) {
            case GLOBAL -> {
                due = Due.DEQUE;
                ProcessCell cell = group.popGlobal(deque);
                shareLater();
                return cell;
            }
            case DEQUE -> {
                due = Due.LATER;
                return deque.popOldest();
            }
            default -> {
                due = Due.NONE;
                return later.popOldest();
            }
        }
    }

    /**
     * Puts some of later in the global queue, for whichever worker looks there next. Otherwise a worker that is never out of
     * work would keep its processes for ever, and those that share it with many others would run less often than those that
     * share it with few.
     *
     * <p>What is given has to be fetched from this processor's caches. Where turns are long that is nothing, and one goes at each
     * look. Where they are short some go now and then, and only if another worker has fewer.
     */
    private void shareLater() {
        int size = later.size();
        int give = size < 2 || group.workers().length == 1 ? 0 : turnsPlanned < LOOK_TURNS ? 1 : surplus(size);
        boolean given = false;
        for (; give > 0 && giveOldest(); give--) {
            given = true;
        }
        if (given) {
            group.signalWork(); // on their way they were in no queue
        }
    }

    /** How many to give of so many, if turns are short: at most looks none. */
    private int surplus(int size) {
        if (--looksUntilShare > 0) {
            return 0;
        }
        looksUntilShare = SHARE_LOOKS;
        int more = size - group.leastLater(this);
        return more <= size / SHARE_PART ? 0 : Math.min((more + 1) / 2, GLOBAL_BATCH);
    }

    private boolean giveOldest() {
        ProcessCell oldest = later.popOldest();
        if (oldest == null) {
            return false;
        }
        try {
            group.pushGlobal(oldest);
            return true;
        } catch (OutOfMemoryError e) {
            put(later, oldest); // there is room, it was here
            return false;
        }
    }

    /** Between two turns, that one being the last: a young slot takes the place of the old one ({@link Worker} says why). */
    void renewNext(long turn) {
        next = next.renewed(turn);
    }

    // Putting in. The worker only.

    /** A process that a step of this worker woke: to the next slot if that is free, and else to the deque. */
    void wake(ProcessCell ready, boolean stepping) {
        NextSlot next = this.next;
        if (stepping && next.isEmpty()) {
            next.put(ready);
            published = true;
        } else {
            push(ready);
        }
    }

    private void push(ProcessCell ready) {
        put(deque, ready);
        published = true;
        group.signalWork();
    }

    /**
     * A process that stays ready, behind what waits already; behind all others if it fills mailboxes that are crowded. If
     * others go before it its signal is due, and {@link #find} gives it, before any other code runs.
     */
    void pushBehind(long turn, ProcessCell ready) {
        if (turnCrowding == turn && !ready.isCrowded()) {
            put(last, ready); // no signal: it is to wait, and this worker does not sleep before it has run
            return;
        }
        // If nothing goes before it, this worker takes it next, and a thief would only carry it about.
        signalDue = signalDue || !isNothingBefore();
        put(later, ready);
    }

    /** Whether what is put behind others now is the next to run here. */
    private boolean isNothingBefore() {
        return later.isEmptyToOwner() && next.isEmpty() && deque.isEmptyToOwner();
    }

    private void put(WorkStealingDeque<ProcessCell> queue, ProcessCell ready) {
        if (!queue.push(ready)) {
            group.pushGlobal(ready);
            signalDue = true;
        }
    }

    /** Whoever steps the scheduler by hand: takes out all that is ready, what would run next first. */
    void drainInto(List<ProcessCell> ready) {
        takeAll(ready::add);
    }

    /** At the end of the worker: what it holds goes to the others. */
    void handOver() {
        takeAll(group::pushGlobal);
        rest.end();
        group.signalWork();
    }

    /** With room behind it: see {@link Padding}. */
    static final class Padded extends WorkerQueues {
        long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

        Padded(WorkerGroup group, TimeSource time, int index, boolean rests) {
            super(group, time, index, rests);
        }
    }
}

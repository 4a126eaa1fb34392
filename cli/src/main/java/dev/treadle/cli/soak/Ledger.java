// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

import dev.treadle.DeadLetter;
import dev.treadle.ProcessExit;
import dev.treadle.SchedulerListener;
import dev.treadle.SlowStep;
import dev.treadle.relay.Delivery;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** The books of one round: what was begun, what became of it, and whether that adds up. Any thread. */
class Ledger implements SchedulerListener {
    private static final int FAULTS_MAX = 20;

    final LongAdder sent = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder handled = new LongAdder();
    final LongAdder deadRefused = new LongAdder();
    final LongAdder deadUnread = new LongAdder();
    final LongAdder outsideRequests = new LongAdder();
    final LongAdder outsideRequestFates = new LongAdder();
    final LongAdder timerLetters = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder yields = new LongAdder();
    final LongAdder completed = new LongAdder();
    final LongAdder abandoned = new LongAdder();
    final LongAdder inits = new LongAdder();
    final LongAdder closes = new LongAdder();
    final LongAdder ended = new LongAdder();
    private final Map<Trouble, LongAdder> troubles = new EnumMap<>(Trouble.class);
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    Ledger() {
        for (Trouble trouble : Trouble.values()) {
            troubles.put(trouble, new LongAdder());
        }
    }

    void count(Trouble trouble) {
        LongAdder adder = troubles.get(trouble);
        if (adder != null) {
            adder.increment();
        }
    }

    Map<Trouble, Long> troubles() {
        var counts = new EnumMap<Trouble, Long>(Trouble.class);
        troubles.forEach((trouble, count) -> counts.put(trouble, count.sum()));
        return counts;
    }

    /** Writes down what must never happen. */
    void fault(String what) {
        if (faults.size() < FAULTS_MAX) {
            faults.add(what);
        }
    }

    List<String> faults() {
        return new ArrayList<>(faults);
    }

    // Messages.

    /** A sender, with what the send returned; it counts as sent before it is. */
    void returned(Delivery delivery) {
        if (!delivery.isDelivered()) {
            refused.increment();
            if (delivery == Delivery.MAILBOX_FULL) {
                count(Trouble.FULL_MAILBOX);
            }
        }
    }

    /** A step that got a message. */
    void handled(Letter letter) {
        if (!letter.meetsFate()) {
            fault("a message was handled twice, or handled after it was a dead letter");
        }
        countFate(letter, handled);
    }

    private void countFate(Letter letter, LongAdder fate) {
        switch (letter.kind) {
            case MESSAGE -> fate.increment();
            case OUTSIDE_REQUEST -> outsideRequestFates.increment();
            case TIMER -> timerLetters.increment();
            case REQUEST -> requests.increment();
        }
    }

    @Override
    public void onDeadLetter(DeadLetter dead) {
        if (dead.envelope().payload() instanceof Letter letter) {
            if (!letter.meetsFate()) {
                fault("a message became a dead letter twice, or after it was handled: " + dead.reason());
            }
            countFate(letter, dead.reason() == DeadLetter.Reason.UNREAD ? deadUnread : deadRefused);
        }
    }

    // Processes.

    @Override
    public void onComplete(ProcessExit exit) {
        ended.increment();
    }

    @Override
    public void onSlowStep(SlowStep step) {
        count(Trouble.SLOW_STEP);
    }

    /** A process that was initialised, with the yields that it takes over. */
    void initialised(int takenOver) {
        inits.increment();
        abandoned.add(-takenOver);
    }

    /** A process that is closed, with the yields that were not completed. */
    void closed(int open) {
        closes.increment();
        abandoned.add(open);
    }

    long alive() {
        return inits.sum() - closes.sum();
    }

    // At the end.

    /** How many messages, completions and closes the books have seen. */
    long entries() {
        return sent.sum() + outsideRequests.sum() + timerLetters.sum() + requests.sum() + yields.sum() + closes.sum();
    }

    /** When all threads of the round have ended: writes down what does not add up. */
    void balance(long submitted) {
        check(
                sent.sum() == handled.sum() + deadRefused.sum() + deadUnread.sum(),
                "%d messages sent, but %d handled, %d refused and %d left unread",
                sent,
                handled,
                deadRefused,
                deadUnread);
        check(
                refused.sum() == deadRefused.sum(),
                "%d sends returned that they were refused, but the listener was told of %d",
                refused,
                deadRefused);
        check(
                outsideRequests.sum() == outsideRequestFates.sum(),
                "%d requests from outside, but %d were handled, refused or left unread",
                outsideRequests,
                outsideRequestFates);
        check(
                yields.sum() == completed.sum() + abandoned.sum(),
                "%d yields, but %d completions and %d yields of processes that ended",
                yields,
                completed,
                abandoned);
        check(inits.sum() == closes.sum(), "%d processes initialised, but %d closed", inits, closes);
        if (submitted != ended.sum()) {
            fault(submitted + " processes started, but the listener was told of " + ended.sum() + " that ended");
        }
    }

    private void check(boolean balanced, String text, LongAdder... figures) {
        if (!balanced) {
            Object[] sums = new Object[figures.length];
            for (int i = 0; i < sums.length; i++) {
                sums[i] = figures[i].sum();
            }
            fault(String.format(Locale.ROOT, text, sums));
        }
    }
}

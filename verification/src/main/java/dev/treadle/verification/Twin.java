// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.verification;

import org.jspecify.annotations.Nullable;

/**
 * A deliberately wrong variant of a production class, that a stress test has to catch.
 *
 * <p>A twin has no test of its own: the test of the production class runs with the twin in its place, chosen by a system
 * property. So the two cannot drift apart.
 */
public enum Twin {
    /*
     * x86 lets a later load pass an earlier store, and nothing else. Where the fault of a missing release or acquire cannot
     * show there, the twin makes the reordering by hand that a processor with a weaker model may make. That shows that the
     * test sees the fault when it happens; it does not show that the processor at hand makes it.
     */
    DEQUE_PUSHES_BOTTOM_FIRST("DequeEmptyStress", "push: the index before the slot, as without the release"),
    DEQUE_POPS_LAST_WITHOUT_CAS("DequeOneStress", "pop: takes the last item without compare-and-set"),
    DEQUE_POPS_WITHOUT_FENCE("DequeTwoStress", "pop: no full fence between the store of bottom and the look at top"),
    DEQUE_TEXTBOOK_HALF("DequeHalfStress", "pop: compare-and-set for the last item only, while thieves take two"),
    DEQUE_COPIES_LATE("DequeReuseStress", "steal: reads the slot after its compare-and-set"),
    DEQUE_PUBLISHES_SLOTS_FIRST("DequeGrowthStress", "grow: the new array is seen before it is filled"),
    GLOBAL_POPS_WITHOUT_CAS("GlobalQueueStress", "pop: counts up without compare-and-set"),
    NEXT_SLOT_WITHOUT_CAS("NextSlotStress", "take: reads, then clears"),
    NEXT_SLOT_CLAIMED_UNSEEN("NextSlotLeaveStress", "takeWhileIn: looks at left without changing the state in between"),
    NEXT_SLOT_RENEWED_UNLEFT("NextSlotRenewStress", "renewed: the young slot does not say that the last turn was left"),
    WORKER_NAMES_PROCESS_FIRST("RunningStress", "begin: the process before the turn, as without the release"),
    INFO_LOOKS_ONCE("InfoReplaceStress", "info: does not look again whether the process was replaced"),
    RELEASE_FORGETS_PARENT_FIRST("InfoReleaseStress", "release: the parent before the process, as without the fence"),
    SLEEPERS_WITHOUT_VERSION("SleeperStackStress", "announce: the word of the stack has no version"),
    WAKE_WITHOUT_FENCE("WakeStress", "signalWork: no full fence between the push and the look for sleepers"),
    WAKE_LOOKS_BEFORE_ANNOUNCING("WakeStress", "sleep: looks at the queues, then announces"),
    WAKE_BEHIND_LOOKS_FIRST("WakeBehindStress", "find: looks for sleepers before it takes the next process"),
    PARKER_LOOKS_FIRST("ParkerStress", "unpark: looks for the sleeper, then leaves the permit"),
    QUEUE_SLEEPS_BLINDLY("IdleStress", "sleep: stores the sleeping marker over what came in"),
    QUEUE_DOES_NOT_TRY_AGAIN("AwaitStress", "sleep: believes that it sleeps when a message changed the word"),
    QUEUE_HANDS_OVER_LATE("HandOverStress", "the owner's fields are written after the sleep, as without the release"),
    QUEUE_SENDS_FIRST("MessageStress", "the content is written after the push, as without the release"),
    QUEUE_CLOSED_TOO_EARLY("FinishStress", "finish: closes after it has counted what is left"),
    ANSWER_RAISES_NO_FLAG("DispatchEndStress", "completeYield: raises no flag while the process still runs"),
    ANSWER_WITHOUT_CAS("AnswerOnceStress", "completeYield: looks whether it was answered, then answers"),
    BIRTH_WITHOUT_CAS("BirthStress", "open, doom: look, then store"),
    TABLE_CLOSED_BEFORE_LOCK("SubmitStress", "add: looks whether the table is closed before it takes the lock"),
    SPIN_LOCK_LOOKS_FIRST("SpinLockStress", "lock: looks whether it is free, then takes it"),
    SHUTDOWN_NOT_LOOKED_AT_AGAIN("CancelHeardStress", "submit: does not look for a shutdown after the birth"),
    TIMER_ANNOUNCES_LATE("TimerSleepStress", "announceSleep: looks for timers, then announces");

    /** The system property that puts a twin in the place of the production class. */
    public static final String PROPERTY = "treadle.twin";

    private static final @Nullable Twin CHOSEN = chosen(System.getProperty(PROPERTY));

    private final String test;
    private final String fault;

    Twin(String test, String fault) {
        this.test = test;
        this.fault = fault;
    }

    private static @Nullable Twin chosen(@Nullable String name) {
        return name == null ? null : valueOf(name);
    }

    /** Returns whether this twin is to be run in place of the production class. A constant to the compiler. */
    public boolean isChosen() {
        return this == CHOSEN;
    }

    /** Returns the simple name of the test that has to catch it. */
    public String test() {
        return test;
    }

    /** Returns what is wrong with it, in words. */
    public String fault() {
        return fault;
    }
}

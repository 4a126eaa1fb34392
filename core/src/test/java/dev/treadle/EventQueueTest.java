// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.EventStack.Push;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private static final int CAPACITY = 100;
    private static final int BUDGET = 4;

    private final EventQueue queue = new EventQueue();

    @Nested
    class GivenUnborn {
        @Test
        void whenAMessageIsPushed_thenItWaitsUntilItIsOpened() {
            assertThat(message(1)).isEqualTo(Push.QUEUED);
            assertThat(queue.open()).isTrue();
            assertThat(message(2)).isEqualTo(Push.QUEUED);

            assertThat(take(BUDGET)).containsExactly("M1", "M2");
        }

        @Test
        void whenAnythingElseIsPushed_thenClosed() {
            assertThat(queue.pushUrgent(signal())).isEqualTo(Push.CLOSED);
        }

        @Test
        void whenDoomedWithAMessage_thenItStaysForTheEnd() {
            assertThat(message(1)).isEqualTo(Push.QUEUED);
            assertThat(queue.doom()).isTrue();
            assertThat(message(2)).isEqualTo(Push.CLOSED);

            assertThat(queue.finish().poll()).isInstanceOf(Message.class);
        }

        @Test
        void whenDoomed_thenItCannotBeOpened() {
            assertThat(queue.doom()).isTrue();

            assertThat(queue.open()).isFalse();
            assertThat(message(1)).isEqualTo(Push.CLOSED);
        }
    }

    @Nested
    class GivenReady {
        @BeforeEach
        void open() {
            assertThat(queue.open()).isTrue();
        }

        @Test
        void whenOpenedAgainOrDoomed_thenRefused() {
            assertThat(queue.open()).isFalse();
            assertThat(queue.doom()).isFalse();
        }

        @Test
        void whenPushed_thenQueuedAndNobodyMustPushTheProcess() {
            assertThat(message(1)).isEqualTo(Push.QUEUED);
            assertThat(queue.pushUrgent(signal())).isEqualTo(Push.QUEUED);
        }

        @Test
        void whenTaken_thenInOrderAndSignalsFirst() {
            pushMessages(1, 2);
            push(completion(10));
            push(Signal.of(Signal.Kind.CANCEL, "first", null));
            push(Signal.of(Signal.Kind.CANCEL, "second", null));

            assertThat(take(64)).containsExactly("S first", "S second", "M1", "M2", "C10");
        }

        @Test
        void whenMoreThanTheBudgetWait_thenTakenInPartsAndInOrder() {
            pushMessages(1, 2, 3);
            push(completion(10));
            pushMessages(4, 5);
            push(completion(11));

            assertThat(take(BUDGET)).containsExactly("M1", "M2", "M3", "C10");
            assertThat(waiting()).isEqualTo(2);
            pushMessages(6);
            push(signal());
            assertThat(take(BUDGET)).containsExactly("S stop", "M4", "M5", "C11");
            assertThat(waiting()).isEqualTo(1);
            assertThat(take(BUDGET)).containsExactly("M6");
            assertThat(take(BUDGET)).isEmpty();
        }

        @Test
        void whenTheBacklogFillsAStep_thenItIsTakenBeforeWhatCameSinceAndTheCountIsExact() {
            pushMessages(IntStream.rangeClosed(1, 3 * BUDGET).toArray());
            take(BUDGET);
            pushMessages(13, 14);

            assertThat(take(BUDGET)).containsExactly("M5", "M6", "M7", "M8");
            assertThat(waiting()).isEqualTo(BUDGET + 2);
            assertThat(take(BUDGET)).containsExactly("M9", "M10", "M11", "M12");
            assertThat(take(BUDGET)).containsExactly("M13", "M14");
            assertThat(queue.sleep(ProcessState.IDLE)).isTrue();
        }

        @Test
        void whenTheBacklogFillsAStepAndASignalComes_thenTheSignalIsTakenFirst() {
            pushMessages(IntStream.rangeClosed(1, 3 * BUDGET).toArray());
            take(BUDGET);
            push(signal());

            assertThat(take(BUDGET)).containsExactly("S stop", "M5", "M6", "M7");
        }

        @Test
        void whenTheBacklogFillsAStepAndACompletionIsInIt_thenItIsStillKnownToWait() {
            pushMessages(IntStream.rangeClosed(1, 2 * BUDGET).toArray());
            push(completion(1));
            pushMessages(9, 10, 11, 12);
            take(BUDGET);

            assertThat(take(BUDGET)).containsExactly("M5", "M6", "M7", "M8");
            assertThat(queue.sleep(ProcessState.BLOCKED))
                    .as("may sleep, though the completion is here")
                    .isFalse();
            assertThat(take(BUDGET)).containsExactly("C1", "M9", "M10", "M11");
            assertThat(waiting()).isEqualTo(1);
        }

        @Test
        void whenSixteenStepsWait_thenTheNextSenderIsToldThatItCrowds() {
            for (int i = 1; i <= EventStack.CROWD; i++) {
                assertThat(unbounded(i)).as("message %d", i).isEqualTo(Push.QUEUED);
            }
            assertThat(queue.isCrowded()).isFalse();
            assertThat(unbounded(0)).isEqualTo(Push.CROWDED);
            assertThat(queue.isCrowded()).isTrue();
            take(BUDGET);
            assertThat(queue.isCrowded()).isFalse();
            assertThat(unbounded(0)).isEqualTo(Push.QUEUED);
        }

        @Test
        void whenAwaitingACompletionBehindACrowd_thenTheCompletionStillWakes() {
            for (int i = 0; i <= EventStack.CROWD; i++) {
                assertThat(unbounded(i)).isNotEqualTo(Push.WAKE);
            }
            assertThat(queue.sleep(ProcessState.BLOCKED)).isTrue();
            assertThat(unbounded(0)).isEqualTo(Push.CROWDED);
            assertThat(queue.pushUrgent(completion(1))).isEqualTo(Push.WAKE);
        }

        @Test
        void whenFull_thenMessagesAreRefusedAndOthersAreNot() {
            pushMessages(IntStream.rangeClosed(1, CAPACITY).toArray());

            assertThat(message(CAPACITY + 1)).isEqualTo(Push.FULL);
            assertThat(queue.pushUrgent(completion(1))).isEqualTo(Push.QUEUED);
            assertThat(queue.pushUrgent(signal())).isEqualTo(Push.QUEUED);
            take(BUDGET);
            assertThat(waiting())
                    .as("a signal and %d messages were handed out", BUDGET - 1)
                    .isEqualTo(CAPACITY - BUDGET + 1);
            pushMessages(IntStream.range(1, BUDGET).toArray());
            assertThat(message(0)).as("exactly as many as were handed out").isEqualTo(Push.FULL);
        }

        @Test
        void whenOneIsTakenAlone_thenItTakesNoRoomWhileItIsInHand() {
            pushMessages(1);
            assertThat(take(BUDGET)).containsExactly("M1");
            assertThat(waiting()).isZero();

            pushMessages(IntStream.rangeClosed(2, CAPACITY + 1).toArray());
            assertThat(waiting()).isEqualTo(CAPACITY);
            assertThat(message(0)).isEqualTo(Push.FULL);
            assertThat(queue.sleep(ProcessState.IDLE)).isFalse();
            assertThat(waiting()).isEqualTo(CAPACITY);
            assertThat(message(0)).isEqualTo(Push.FULL);
            assertThat(take(CAPACITY)).hasSize(CAPACITY).startsWith("M2").endsWith("M" + (CAPACITY + 1));
        }

        @Test
        void whenOneAfterTheOtherIsTakenAlone_thenEachTakesRoomUntilItIsTaken() {
            for (int i = 1; i <= 3; i++) {
                assertThat(queue.pushMessage(Message.of("m", i), 1)).isNotEqualTo(Push.FULL);
                assertThat(queue.pushMessage(Message.of("m", 0), 1)).isEqualTo(Push.FULL);
                assertThat(take(BUDGET)).containsExactly("M" + i);
                assertThat(queue.sleep(i == 2 ? ProcessState.BLOCKED : ProcessState.IDLE))
                        .isTrue();
            }
        }

        @Test
        void whenOneIsInHand_thenItIsTakenOffOnce() {
            pushMessages(1);
            take(BUDGET);
            assertThat(queue.isNothingQueued()).isTrue();
            pushMessages(2);
            assertThat(queue.isNothingQueued()).isFalse();
            push(completion(3));

            assertThat(take(BUDGET)).containsExactly("M2", "C3");
            assertThat(take(BUDGET)).isEmpty();
            pushMessages(4);
            take(BUDGET);
            queue.putDown();
            queue.putDown();
            assertThat(waiting()).isZero();
            assertThat(queue.sleep(ProcessState.IDLE)).isTrue();
        }

        @Test
        void whenOneIsInHandAndOthersCome_thenItStaysInHandUntilTheyAreTaken() {
            pushMessages(1);
            take(BUDGET);
            pushMessages(2, 3);

            assertThat(queue.sleep(ProcessState.IDLE)).isFalse();
            assertThat(waiting()).isEqualTo(2);
            assertThat(take(2)).containsExactly("M2", "M3");
            assertThat(waiting()).isZero();
            assertThat(take(2)).isEmpty();
            assertThat(queue.sleep(ProcessState.IDLE)).isTrue();
        }

        @Test
        void whenOneIsInHandAndMoreComeThanAStepGets_thenTheyAreTakenInPartsAndInOrder() {
            pushMessages(1);
            take(BUDGET);
            pushMessages(2, 3, 4);

            assertThat(take(2)).containsExactly("M2", "M3");
            assertThat(waiting()).isEqualTo(1);
            assertThat(take(2)).containsExactly("M4");
        }

        @Test
        void whenOneIsInHandAndNothingElseComes_thenTheNextStepTakesItOff() {
            pushMessages(1);
            take(BUDGET);

            assertThat(take(BUDGET)).isEmpty();
            assertThat(ProcessState.isEmpty(queue.word())).isTrue();
        }

        @Test
        void whenOneIsInHandAndWhatWaitsIsLookedAt_thenItIsNotAmongThem() {
            pushMessages(1);
            take(BUDGET);
            push(completion(2));

            assertThat(queue.takeAside().poll()).isInstanceOf(Completion.class);
            assertThat(waiting()).isZero();
        }

        @Test
        void whenOneIsInHandAndItAwaits_thenOthersWaitUntilTheCompletionComes() {
            pushMessages(1);
            take(BUDGET);
            pushMessages(2, 3);

            assertThat(queue.sleep(ProcessState.BLOCKED)).isTrue();
            assertThat(waiting()).isEqualTo(2);
            assertThat(queue.pushUrgent(completion(4))).isEqualTo(Push.WAKE);
            assertThat(take(BUDGET)).containsExactly("M2", "M3", "C4");
        }

        @Test
        void whenOneIsInHandAtTheEnd_thenItDoesNotComeBack() {
            pushMessages(1);
            take(BUDGET);
            pushMessages(2, 3);

            assertThat(finish()).containsExactly("M2", "M3");
        }

        @Test
        void whenAnythingIsTakenAfterTheEnd_thenNothingAndItStaysComplete() {
            pushMessages(1);
            take(BUDGET);
            finish();

            assertThat(take(BUDGET)).isEmpty();
            assertThat(state()).isEqualTo(ProcessState.COMPLETE);
        }

        @Test
        void whenOneIsInHand_thenItIsNotShownAsWaiting() {
            pushMessages(1);
            take(BUDGET);
            assertThat(ProcessState.messages(queue.shownWord())).isZero();

            pushMessages(2);
            assertThat(ProcessState.messages(queue.shownWord())).isEqualTo(1);
            assertThat(ProcessState.state(queue.shownWord())).isEqualTo(ProcessState.READY);
        }

        @Test
        void whenOneIsInHandAloneAtTheEnd_thenNothingComesBack() {
            pushMessages(1);
            take(BUDGET);

            assertThat(finish()).isEmpty();
            assertThat(waiting()).isZero();
        }

        @Test
        void whenNothingWaits_thenItSleeps() {
            assertThat(queue.sleep(ProcessState.IDLE)).isTrue();
            assertThat(state()).isEqualTo(ProcessState.IDLE);
        }

        @Test
        void whenMessageWaits_thenItDoesNotTurnIdle() {
            pushMessages(1);

            assertThat(queue.sleep(ProcessState.IDLE)).isFalse();
            assertThat(state()).isEqualTo(ProcessState.READY);
        }

        @Test
        void whenMessageWaits_thenItBlocksAllTheSame() {
            pushMessages(1, 2);

            assertThat(queue.sleep(ProcessState.BLOCKED)).isTrue();
            assertThat(message(3)).isEqualTo(Push.QUEUED);
            assertThat(queue.pushUrgent(completion(1))).isEqualTo(Push.WAKE);
            assertThat(take(64)).containsExactly("M1", "M2", "M3", "C1");
        }

        @Test
        void whenCompletionIsLeftInTheBacklog_thenItDoesNotBlock() {
            pushMessages(1, 2, 3, 4);
            push(completion(1));
            take(BUDGET);

            assertThat(queue.sleep(ProcessState.BLOCKED)).isFalse();
            assertThat(take(BUDGET)).containsExactly("C1");
            assertThat(queue.sleep(ProcessState.BLOCKED)).isTrue();
        }

        @Test
        void whenMessagesAreLeftInTheBacklog_thenItBlocksAndDoesNotTurnIdle() {
            pushMessages(1, 2, 3, 4, 5);
            take(BUDGET);

            assertThat(queue.sleep(ProcessState.IDLE)).isFalse();
            assertThat(queue.sleep(ProcessState.BLOCKED)).isTrue();
            assertThat(waiting()).isEqualTo(1);
            assertThat(queue.pushUrgent(signal())).isEqualTo(Push.WAKE);
            assertThat(take(BUDGET)).containsExactly("S stop", "M5");
        }

        @Test
        void whenKilled_thenNothingIsHandedOutAndAllIsLeft() {
            pushMessages(1, 2);
            push(new Kill("because"));
            pushMessages(3);
            var batch = new EventBatch(64);

            Kill kill = queue.take(batch, BUDGET);

            assertThat(kill).isNotNull();
            assertThat(kill.reason()).isEqualTo("because");
            assertThat(batch.isEmpty()).isTrue();
            assertThat(finish()).containsExactly("M1", "M2", "M3");
        }

        @Test
        void whenFinished_thenAllThatWasNotHandedOutComesBackAndAllElseIsRefused() {
            pushMessages(1, 2, 3, 4, 5);
            take(BUDGET);
            pushMessages(6);

            assertThat(finish()).containsExactly("M5", "M6");
            assertThat(message(7)).isEqualTo(Push.CLOSED);
            assertThat(queue.pushUrgent(signal())).isEqualTo(Push.CLOSED);
            assertThat(state()).isEqualTo(ProcessState.COMPLETE);
        }

        @Test
        void whenTheStepIsOver_thenNoEventKeepsAnother() {
            pushMessages(1, 2, 3, 4, 5, 6);
            var batch = new EventBatch(64);
            assertThat(queue.take(batch, 64)).isNull();
            var kept = new ArrayList<Event>();
            batch.forEach(kept::add);

            batch.clear();

            assertThat(kept).hasSize(6);
            for (Event event : kept) {
                assertThat(event.next).as("link of %s", event).isNull();
            }
        }
    }

    @Nested
    class GivenAsleep {
        @BeforeEach
        void open() {
            assertThat(queue.open()).isTrue();
        }

        @Test
        void whenIdle_thenTheFirstEventWakesAndTheSecondDoesNot() {
            assertThat(queue.sleep(ProcessState.IDLE)).isTrue();

            assertThat(message(1)).isEqualTo(Push.WAKE);
            assertThat(message(2)).isEqualTo(Push.QUEUED);
            assertThat(queue.pushUrgent(signal())).isEqualTo(Push.QUEUED);
        }

        @Test
        void whenBlocked_thenMessagesWaitAndTheFirstCompletionWakes() {
            assertThat(queue.sleep(ProcessState.BLOCKED)).isTrue();

            assertThat(message(1)).isEqualTo(Push.QUEUED);
            assertThat(state()).isEqualTo(ProcessState.BLOCKED);
            assertThat(queue.pushUrgent(completion(1))).isEqualTo(Push.WAKE);
            assertThat(queue.pushUrgent(completion(2))).isEqualTo(Push.QUEUED);
            assertThat(take(64)).containsExactly("M1", "C1", "C2");
        }

        @Test
        void whenBlockedAndFull_thenMessagesAreRefused() {
            assertThat(queue.sleep(ProcessState.BLOCKED)).isTrue();
            pushMessages(IntStream.rangeClosed(1, CAPACITY).toArray());

            assertThat(message(0)).isEqualTo(Push.FULL);
        }

        @Test
        void whenKilled_thenItWakes() {
            assertThat(queue.sleep(ProcessState.BLOCKED)).isTrue();

            assertThat(queue.pushUrgent(new Kill("now"))).isEqualTo(Push.WAKE);
        }
    }

    private Push message(int number) {
        return queue.pushMessage(Message.of("m", number), CAPACITY);
    }

    private Push unbounded(int number) {
        return queue.pushMessage(Message.of("m", number), Integer.MAX_VALUE);
    }

    private void pushMessages(int... numbers) {
        for (int number : numbers) {
            assertThat(message(number)).isNotIn(Push.FULL, Push.CLOSED);
        }
    }

    private void push(EventNode urgent) {
        assertThat(queue.pushUrgent(urgent)).isNotEqualTo(Push.CLOSED);
    }

    private static Signal signal() {
        return Signal.of(Signal.Kind.CANCEL, "stop", null);
    }

    private static Completion completion(long tag) {
        return Completion.of(tag, null, null);
    }

    private int waiting() {
        return queue.waiting();
    }

    private int state() {
        return ProcessState.state(queue.word());
    }

    private List<String> take(int budget) {
        var batch = new EventBatch(budget);
        assertThat(queue.take(batch, budget)).isNull();
        var names = new ArrayList<String>();
        batch.forEach(event -> names.add(name(event)));
        return names;
    }

    private List<String> finish() {
        var names = new ArrayList<String>();
        Backlog left = queue.finish();
        for (Event event = left == null ? null : left.poll(); event != null; event = left.poll()) {
            names.add(name(event));
        }
        return names;
    }

    private static String name(Event event) {
        if (event instanceof Message message) {
            return "M" + message.payload();
        }
        return event instanceof Completion completion ? "C" + completion.tag() : "S " + ((Signal) event).reason();
    }
}

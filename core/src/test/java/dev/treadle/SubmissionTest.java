// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.SubmissionRefusedException.Reason;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubmissionTest {
    private static final int CAPACITY_MAX = (1 << 27) - 2;
    private static final long ID_MIN = 1L << 56;

    private final TrackedProcess process = TrackedProcess.idle();
    private final Submission submission = Submission.of(process, "main", 1, "two");

    @Nested
    class GivenBadInput {
        @Test
        void whenAPartIsNull_thenItIsRefused() {
            assertThatNullPointerException()
                    .isThrownBy(() -> Submission.of(null, "main"))
                    .withMessage("process is null: give the process to start");
            assertThatNullPointerException()
                    .isThrownBy(() -> Submission.of(process, null))
                    .withMessage("method is null: name the entry point, such as \"main\"");
            assertThatNullPointerException()
                    .isThrownBy(() -> Submission.of(process, "main", (Payloads) null))
                    .withMessage("input is null: use Payloads.empty()");
            assertThatNullPointerException()
                    .isThrownBy(() -> Submission.of(process, "main", (Object[]) null))
                    .withMessage("the array of arguments is null: leave it out to pass none");
            assertThatNullPointerException()
                    .isThrownBy(() -> submission.attribute(null, 1))
                    .withMessage("attribute name is null: give it a name");
            assertThatNullPointerException()
                    .isThrownBy(() -> submission.attribute("tenant", null))
                    .withMessage("attribute \"tenant\" is null: leave it out");
        }

        @ParameterizedTest
        @ValueSource(ints = {-1, Integer.MIN_VALUE, CAPACITY_MAX + 1, Integer.MAX_VALUE})
        void whenTheMailboxIsTooSmallOrTooLarge_thenItIsRefused(int capacity) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> submission.mailboxCapacity(capacity))
                    .withMessage("mailboxCapacity was " + capacity + ", must be 0 to 134217726:"
                            + " use 0 for no bound of its own, or leave it unset");
        }

        @ParameterizedTest
        @ValueSource(longs = {ID_MIN - 1, 1, 0, -1, Long.MIN_VALUE})
        void whenTheIdIsTheSchedulersToGive_thenItIsRefused(long id) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> submission.id(id))
                    .withMessage("id was " + id + ", must be at least 72057594037927936 (2^56):"
                            + " add Submission.CHOSEN_ID_MIN to yours, or leave it unset to get the next free one");
        }

        @Test
        void whenNothingIsSubmitted_thenItIsRefused() {
            try (SteppedScheduler stepped = Scheduler.builder().stepped()) {
                assertThatNullPointerException()
                        .isThrownBy(() -> stepped.scheduler().submit((Submission) null))
                        .withMessage("submission is null: use Submission.of(process, method)");
                assertThatNullPointerException()
                        .isThrownBy(() -> stepped.scheduler().submit(null, "main"))
                        .withMessage("process is null: give the process to start");
            }
            process.assertNeverCalled();
        }
    }

    @Nested
    class GivenGoodInput {
        @Test
        void whenAtTheBounds_thenItIsTaken() {
            assertThat(submission.mailboxCapacity(0).mailboxCapacityOr(5)).isZero();
            assertThat(submission.mailboxCapacity(CAPACITY_MAX).mailboxCapacityOr(5))
                    .isEqualTo(CAPACITY_MAX);
            assertThat(submission.id(ID_MIN).id()).isEqualTo(ID_MIN);
            assertThat(submission.id(Long.MAX_VALUE).id()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void whenNothingIsSet_thenTheSchedulerDecides() {
            assertThat(submission.mailboxCapacityOr(5)).isEqualTo(5);
            assertThat(submission.hasId()).isFalse();
            assertThat(submission.attributes()).isEmpty();
        }

        @Test
        void whenOptionsAreSet_thenEachReturnsACopyThatKeepsTheOthers() {
            Submission full = submission
                    .attribute("tenant", "acme")
                    .mailboxCapacity(7)
                    .id(ID_MIN + 1)
                    .attribute("user", 3)
                    .attribute("tenant", "other");

            assertThat(full.attributes()).isEqualTo(Map.of("tenant", "other", "user", 3));
            assertThat(full.mailboxCapacityOr(5)).isEqualTo(7);
            assertThat(full.id()).isEqualTo(ID_MIN + 1);
            assertThat(full.process()).isSameAs(process);
            assertThat(full.method()).isEqualTo("main");
            assertThat(full.input()).isEqualTo(Payloads.of(1, "two"));
            assertThat(submission.attributes()).as("the first is not changed").isEmpty();
            assertThat(submission).hasToString("Submission[dev.treadle.TrackedProcess, main]");
        }

        @Test
        void whenSubmitted_thenTheProcessHasWhatWasSet() {
            try (SteppedScheduler stepped = Scheduler.builder().name("host").stepped()) {
                ProcessRef ref =
                        stepped.scheduler().submit(submission.id(ID_MIN + 1).attribute("tenant", "acme"));

                assertThat(ref.pid()).isEqualTo(Pid.of("host", ID_MIN + 1));
                assertThat(process.context().attributes()).isEqualTo(Map.of("tenant", "acme"));
                assertThatThrownBy(() -> process.context().attributes().put("tenant", "mine"))
                        .isInstanceOf(UnsupportedOperationException.class);
            }
        }
    }

    /** The reasons for which a scheduler refuses: each says what to do. */
    @Nested
    class GivenASchedulerThatRefuses {
        @Test
        void whenTheIdIsInUse_thenTheMessageNamesThePid() {
            try (SteppedScheduler stepped = Scheduler.builder().name("host").stepped()) {
                ProcessRef first = stepped.scheduler().submit(submission.id(ID_MIN));
                Submission second =
                        Submission.of(TrackedProcess.done("second"), "main").id(ID_MIN);
                assertRefused(
                        () -> stepped.scheduler().submit(second),
                        Reason.DUPLICATE_PID,
                        "a process with pid {host|72057594037927936} is alive, an id can be used once:"
                                + " choose another, or let the scheduler");
                first.terminate();
                stepped.runAll();
                assertThat(stepped.scheduler().submit(second).pid()).isEqualTo(first.pid());
            }
        }

        @Test
        void whenTooManyAreAlive_thenTheMessageNamesTheLimit() {
            try (SteppedScheduler stepped =
                    Scheduler.builder().name("host").maxProcesses(2).stepped()) {
                stepped.scheduler().submit(TrackedProcess.idle(), "main");
                ProcessRef second = stepped.scheduler().submit(TrackedProcess.idle(), "main");
                assertRefused(
                        () -> stepped.scheduler().submit(submission),
                        Reason.TOO_MANY_PROCESSES,
                        "scheduler \"host\" has 2 processes, the most that maxProcesses allows:"
                                + " wait for some to end, or raise it");
                second.terminate();
                stepped.runAll();
                assertThat(stepped.scheduler().submit(submission).inspect()).isPresent();
            }
        }

        @Test
        void whenItIsShuttingDown_thenTheMessageSaysSo() {
            SteppedScheduler stepped = Scheduler.builder().name("host").stepped();
            stepped.close();
            assertRefused(
                    () -> stepped.scheduler().submit(submission),
                    Reason.STOPPING,
                    "scheduler \"host\" is shutting down and takes no more processes: submit before shutdown()");
            process.assertNeverCalled();
        }

        private static void assertRefused(
                org.assertj.core.api.ThrowableAssert.ThrowingCallable submit, Reason reason, String message) {
            assertThatThrownBy(submit)
                    .isInstanceOfSatisfying(
                            SubmissionRefusedException.class,
                            e -> assertThat(e.reason()).isEqualTo(reason))
                    .hasMessage(message);
        }
    }
}

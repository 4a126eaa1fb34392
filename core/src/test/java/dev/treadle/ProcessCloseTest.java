// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static dev.treadle.Soon.reaches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.ProcessExit.Kind;
import dev.treadle.ProcessInfo.State;
import dev.treadle.SubmissionRefusedException.Reason;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract line P7: close runs exactly once for each process that init was called on, whichever way it ends. */
class ProcessCloseTest {
    private final RecordingListener listener = new RecordingListener();

    /** Every way in which a process can end. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private enum Ending {
        DONE_AT_ONCE(Kind.DONE, (events, out) -> out.done(), (scheduler, ref) -> {}),
        DONE_LATER(Kind.DONE, Ending::doneWithAnyEvent, (scheduler, ref) -> ref.send("end", null)),
        FAILED_AT_ONCE(Kind.FAILED, (events, out) -> Thrown.CHECKED.throwIt(), (scheduler, ref) -> {}),
        FAILED_LATER(Kind.FAILED, Ending::failWithAnyEvent, (scheduler, ref) -> ref.send("fail", null)),
        FAILED_IN_ITS_OUTPUT(Kind.FAILED, (events, out) -> out.yield(null, 0), (scheduler, ref) -> {}),
        CANCELLED(Kind.DONE, Ending::doneWithAnyEvent, (scheduler, ref) -> ref.cancel("enough")),
        CANCELLED_PAST_THE_DEADLINE(
                Kind.TERMINATED,
                (events, out) -> out.idle(),
                (scheduler, ref) -> ref.cancel("enough", Duration.ofMillis(2))),
        TERMINATED_WHILE_IDLE(Kind.TERMINATED, (events, out) -> out.idle(), (scheduler, ref) -> {
            reaches(ref, State.IDLE);
            ref.terminate();
        }),
        TERMINATED_WHILE_BLOCKED(Kind.TERMINATED, (events, out) -> out.await(), (scheduler, ref) -> {
            reaches(ref, State.BLOCKED);
            ref.terminate();
        }),
        TERMINATED_WHILE_READY(Kind.TERMINATED, (events, out) -> out.again(), (scheduler, ref) -> ref.terminate()),
        TERMINATED_OVER_AND_OVER(Kind.TERMINATED, (events, out) -> out.idle(), (scheduler, ref) -> {
            for (int i = 0; i < 100; i++) {
                ref.terminate();
            }
        }),
        SHUT_DOWN_AND_DONE(Kind.DONE, Ending::doneWithAnyEvent, (scheduler, ref) -> scheduler.shutdown(LIMIT)),
        SHUT_DOWN_WHILE_WAITING(
                Kind.TERMINATED, (events, out) -> out.idle(), (scheduler, ref) -> scheduler.shutdown(LIMIT)),
        SHUT_DOWN_BY_FORCE(
                Kind.TERMINATED,
                (events, out) -> out.again(),
                (scheduler, ref) -> scheduler.shutdown(Duration.ofMillis(5))),
        SHUT_DOWN_AT_ONCE(
                Kind.TERMINATED, (events, out) -> out.idle(), (scheduler, ref) -> scheduler.shutdown(Duration.ZERO)),
        SHUT_DOWN_WHILE_BLOCKING_ITS_WORKER(
                null,
                (events, out) -> new CountDownLatch(1).await(),
                (scheduler, ref) -> scheduler.shutdown(Duration.ZERO));

        private final Kind kind;
        private final StepFunction step;
        private final Deed deed;

        private interface Deed {
            void run(Scheduler scheduler, ProcessRef ref);
        }

        Ending(Kind kind, StepFunction step, Deed deed) {
            this.kind = kind;
            this.step = step;
            this.deed = deed;
        }

        private static void doneWithAnyEvent(Events events, StepOutput out) {
            if (!events.isEmpty()) {
                out.done();
            }
        }

        private static void failWithAnyEvent(Events events, StepOutput out) {
            if (!events.isEmpty()) {
                throw new IllegalStateException("as told");
            }
        }
    }

    static Stream<Arguments> workersAndEndings() {
        return IntStream.of(1, 2, 8)
                .boxed()
                .flatMap(workers -> Stream.of(Ending.values()).map(ending -> Arguments.of(workers, ending)));
    }

    static Stream<Arguments> workersAndThrown() {
        return IntStream.of(1, 2, 8)
                .boxed()
                .flatMap(workers -> Stream.of(Thrown.values()).map(thrown -> Arguments.of(workers, thrown)));
    }

    /** P7: close runs once, before anybody hears of the end, whichever way it ends. */
    @ParameterizedTest(name = "{0} workers, {1}")
    @MethodSource("workersAndEndings")
    void p7_whicheverWayItEnds_thenCloseRunsOnce(int workers, Ending ending) {
        end(workers, ending, new TrackedProcess(ending.step));
    }

    /** P7: what close throws is reported, and changes nothing: not the exit, not the result, not the others. */
    @ParameterizedTest(name = "{0} workers, {1}")
    @MethodSource("workersAndEndings")
    void p7_whicheverWayItEnds_thenACloseThatThrowsChangesNothing(int workers, Ending ending) {
        try (var log = new LogRecorder()) {
            end(workers, ending, new TrackedProcess(ending.step).onClose(Thrown.CHECKED::throwIt));
            assertThat(log.texts)
                    .singleElement()
                    .asString()
                    .contains("close() of process {end|1} threw")
                    .contains("java.io.IOException: checked");
        }
    }

    private void end(int workers, Ending ending, TrackedProcess process) {
        var closesWhenTold = new AtomicInteger(-1);
        var closesWhenSettled = new AtomicInteger(-1);
        var attentive = new SchedulerListener() {
            @Override
            public void onComplete(ProcessExit exit) {
                closesWhenTold.set(process.closes.get());
            }
        };
        try (Scheduler scheduler = Scheduler.builder()
                .name("end")
                .workers(workers)
                .listener(attentive)
                .listener(listener)
                .start()) {
            ProcessRef ref = scheduler.submit(process, "main");
            var settled =
                    ref.result().handle((result, thrown) -> closesWhenSettled.compareAndSet(-1, process.closes.get()));
            ending.deed.run(scheduler, ref);
            assertThat(settled).as("the end of %s", ending).succeedsWithin(LIMIT);
            assertThat(ref.inspect()).isEmpty();
        }
        process.assertClosedOnce();
        assertThat(closesWhenTold).as("closed before the listener hears").hasValue(1);
        assertThat(closesWhenSettled).as("closed before the result is there").hasValue(1);
        assertThat(listener.exits).hasSize(1);
        if (ending.kind != null) {
            assertThat(listener.exits.get(0).kind()).isEqualTo(ending.kind);
        }
    }

    /** P7: whatever close throws, the worker lives and the result is the one it was done with. */
    @ParameterizedTest(name = "{0} workers, {1}")
    @MethodSource("workersAndThrown")
    void p7_whateverCloseThrows_thenItIsReportedAndNothingElseChanges(int workers, Thrown thrown) {
        var process = TrackedProcess.done("result").onClose(thrown::throwIt);
        try (var log = new LogRecorder();
                Scheduler scheduler =
                        Scheduler.builder().workers(workers).listener(listener).start()) {
            ProcessRef ref = scheduler.submit(process, "main");

            assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("result");
            assertThat(scheduler.stats().listenerFailures()).isEqualTo(1);
            assertThat(log.texts).singleElement().asString().contains("close() of process " + ref.pid() + " threw");
            assertThat(scheduler.submit(TrackedProcess.done("next"), "main").result())
                    .succeedsWithin(LIMIT)
                    .isEqualTo("next");
        }
        process.assertClosedOnce();
        assertThat(listener.exits).extracting(ProcessExit::kind).containsExactly(Kind.DONE, Kind.DONE);
    }

    /** P7: close may still send and spawn; what it sends arrives. */
    @AtWorkers
    void p7_whenCloseSaysGoodbye_thenTheMessageArrives(int workers) {
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            ProcessRef heir = scheduler.submit(
                    Process.of((events, out) -> {
                        if (!events.isEmpty()) {
                            out.done(((Message) events.get(0)).sender());
                        }
                    }),
                    "main");
            var process = new TrackedProcess[1];
            process[0] =
                    TrackedProcess.done(null).onClose(() -> process[0].context().send(heir.pid(), "goodbye", null));
            ProcessRef ref = scheduler.submit(process[0], "main");

            assertThat(heir.result()).succeedsWithin(LIMIT).isEqualTo(ref.pid());
        }
    }

    /** P7: an upgrade closes the old process once, before the next one begins, and the next one at its own end. */
    @AtWorkers
    void p7_whenUpgraded_thenBothAreClosedOnce(int workers) {
        var closesAtInit = new AtomicInteger();
        var old = new TrackedProcess[1];
        var next =
                TrackedProcess.done("next").onInit((context, method, input) -> closesAtInit.set(old[0].closes.get()));
        old[0] = new TrackedProcess((events, out) -> out.upgrade(next, "main"));
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).listener(listener).start()) {
            assertThat(scheduler.submit(old[0], "main").result())
                    .succeedsWithin(LIMIT)
                    .isEqualTo("next");
        }
        old[0].assertClosedOnce();
        next.assertClosedOnce();
        assertThat(closesAtInit).hasValue(1);
        assertThat(listener.exits).as("one process, one end").hasSize(1);
    }

    /** P7: the same if the next one refuses to begin, and if the old one's close throws. */
    @AtWorkers
    void p7_whenAnUpgradeFails_thenBothAreClosedOnce(int workers) {
        var next = TrackedProcess.idle().onInit((context, method, input) -> Thrown.CHECKED.throwIt());
        var old = new TrackedProcess((events, out) -> out.upgrade(next, "main")).onClose(Thrown.ASSERTION::throwIt);
        try (var log = new LogRecorder();
                Scheduler scheduler =
                        Scheduler.builder().workers(workers).listener(listener).start()) {
            assertThat(scheduler.submit(old, "main").result())
                    .failsWithin(LIMIT)
                    .withThrowableThat()
                    .havingCause()
                    .withCause(Thrown.CHECKED.throwable());
            assertThat(log.texts).as("what close threw").hasSize(1);
        }
        old.assertClosedOnce();
        next.assertClosedOnce();
        assertThat(listener.exits).extracting(ProcessExit::kind).containsExactly(Kind.FAILED);
    }

    /** P7: a process that is refused before its init is not touched at all. */
    @AtWorkers
    void p7_whenRefusedBeforeInit_thenCloseDoesNotRun(int workers) {
        var refused = TrackedProcess.idle();
        long id = Submission.CHOSEN_ID_MIN;
        Scheduler scheduler =
                Scheduler.builder().workers(workers).maxProcesses(2).start();
        try (scheduler) {
            scheduler.submit(Submission.of(TrackedProcess.idle(), "main").id(id));
            assertRefused(() -> scheduler.submit(Submission.of(refused, "main").id(id)), Reason.DUPLICATE_PID);
            scheduler.submit(TrackedProcess.idle(), "main");
            assertRefused(() -> scheduler.submit(refused, "main"), Reason.TOO_MANY_PROCESSES);
        }
        assertRefused(() -> scheduler.submit(refused, "main"), Reason.STOPPING);
        refused.assertNeverCalled();
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable submit, Reason reason) {
        assertThatThrownBy(submit)
                .isInstanceOfSatisfying(
                        SubmissionRefusedException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason));
    }
}

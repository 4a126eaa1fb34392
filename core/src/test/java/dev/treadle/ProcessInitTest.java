// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract line P1: how a process begins. */
class ProcessInitTest {
    private final RecordingListener listener = new RecordingListener();

    private SchedulerBuilder builder(int workers) {
        return Scheduler.builder().name("begin").workers(workers).listener(listener);
    }

    static Stream<Arguments> workersAndThrown() {
        return IntStream.of(1, 2, 8)
                .boxed()
                .flatMap(workers -> Stream.of(Thrown.values()).map(thrown -> Arguments.of(workers, thrown)));
    }

    /** P1: init runs once, on the thread that submits, with what was passed. */
    @AtWorkers
    void p1_whenSubmitted_thenInitRunsOnceOnTheSubmittersThread(int workers) {
        var initThread = new AtomicReference<Thread>();
        var heard = new AtomicReference<String>();
        var process = TrackedProcess.done("end").onInit((context, method, input) -> {
            initThread.set(Thread.currentThread());
            heard.set(method + input + context.method() + context.parent());
        });
        try (Scheduler scheduler = builder(workers).start()) {
            ProcessRef ref = scheduler.submit(process, "audit", 40, "two", null);

            assertThat(process.inits).as("init has run when submit returns").hasValue(1);
            assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("end");
            assertThat(initThread).hasValue(Thread.currentThread());
            assertThat(heard).hasValue("audit[40, two, null]auditnull");
            assertThat(process.context().self()).isEqualTo(ref.pid());
        }
        process.assertClosedOnce();
    }

    /** P1: a child's init runs inside spawn, on the thread of its parent's step. */
    @AtWorkers
    void p1_whenSpawned_thenInitRunsOnTheParentsThread(int workers) {
        Map<String, Object> seen = new ConcurrentHashMap<>();
        var child = TrackedProcess.done("child").onInit((context, method, input) -> {
            seen.put("init", Thread.currentThread());
            seen.put("parent", context.parent());
        });
        var parent = new AtomicReference<TrackedProcess>();
        parent.set(new TrackedProcess((events, out) -> {
            seen.put("step", Thread.currentThread());
            parent.get().context().spawn(child, "main");
            seen.put("inits after spawn", child.inits.get());
            out.done();
        }));
        try (Scheduler scheduler = builder(workers).start()) {
            ProcessRef ref = scheduler.submit(parent.get(), "main");

            assertThat(ref.result()).succeedsWithin(LIMIT);
            assertThat(seen).containsEntry("init", seen.get("step"));
            assertThat(seen).containsEntry("parent", ref.pid()).containsEntry("inits after spawn", 1);
        }
        child.assertClosedOnce();
    }

    /** P1: what init wrote to plain fields the first step sees. */
    @AtWorkers
    void p1_whenInitWritesPlainFields_thenTheFirstStepSeesThem(int workers) {
        try (Scheduler scheduler = builder(workers).start()) {
            for (int i = 0; i < 2_000; i++) {
                assertThat(scheduler.submit(new PlainFields(), "main", i).result())
                        .succeedsWithin(LIMIT)
                        .isEqualTo(i + 1L);
            }
        }
    }

    private static final class PlainFields implements Process {
        private long sum;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            sum = input.get(0, int.class);
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.done(sum + 1);
        }
    }

    /** P1: while init runs nobody can see the process, by whichever address: not find it, nor end it. */
    @AtWorkers
    void p1_whileInitRuns_thenNobodySeesTheProcess(int workers) {
        try (Scheduler scheduler = builder(workers).start()) {
            var process = TrackedProcess.idle().onInit((context, method, input) -> {
                Pid guessed = Pid.parse(context.self().toString());
                for (Pid pid : new Pid[] {context.self(), guessed}) {
                    assertThat(scheduler.inspect(pid)).isEmpty();
                    assertThat(scheduler.cancel(pid, "too early")).isEqualTo(Delivery.NO_SUCH_PROCESS);
                    assertThat(scheduler.terminate(pid)).isEqualTo(Delivery.NO_SUCH_PROCESS);
                }
                assertThat(scheduler.send(guessed, "too early", null)).isEqualTo(Delivery.NO_SUCH_PROCESS);
                assertThat(scheduler.processes()).isEmpty();
                assertThat(listener.starts).isEmpty();
            });

            ProcessRef ref = scheduler.submit(process, "main");

            Soon.reaches(ref, ProcessInfo.State.IDLE);
            assertThat(process.steps)
                    .as("nothing that was sent too early arrived")
                    .hasValue(1);
            assertThat(process.context().isCancelled())
                    .as("a cancellation that was refused leaves no trace")
                    .isFalse();
            assertThat(listener.deadLetters)
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.NO_SUCH_PROCESS));
        }
    }

    /** P1: what is sent to the address that init gave out, by a child for one, waits for the first step. */
    @AtWorkers
    void p1_whenAChildOfInitWritesAtOnce_thenTheFirstStepGetsIt(int workers) {
        try (Scheduler scheduler = builder(workers).start()) {
            var process = new TrackedProcess((events, out) -> out.done(topics(events)))
                    .onInit((context, method, input) -> {
                        context.send(context.self(), "from myself", null);
                        ProcessRef child = context.spawn(
                                Process.of((events, out) -> {
                                    scheduler.send(context.self(), "from a child", null);
                                    out.done();
                                }),
                                "main");
                        assertThat(child.result()).succeedsWithin(LIMIT);
                    });

            assertThat(scheduler.submit(process, "main").result())
                    .succeedsWithin(LIMIT)
                    .isEqualTo(List.of("from myself", "from a child"));
        }
        assertThat(listener.deadLetters).isEmpty();
    }

    private static List<String> topics(Events events) {
        var topics = new ArrayList<String>();
        events.forEach(event -> topics.add(((Message) event).topic()));
        return topics;
    }

    /** P1: a timer that init sets is not lost when init takes longer than that, whether it fires once or again. */
    @Test
    void p1_whenATimerFiresBeforeInitReturns_thenTheFirstStepGetsIt() {
        var time = new ManualTime();
        SteppedScheduler stepped = builder(1).time(time).stepped();
        try (Scheduler scheduler = stepped.scheduler()) {
            var topics = new ArrayList<String>();
            var process = new TrackedProcess((events, out) -> topics.addAll(topics(events)))
                    .onInit((context, method, input) -> {
                        context.timers().after(Duration.ofMillis(1), "once", null);
                        context.timers().every(Duration.ofMillis(2), "again", null);
                        time.advance(Duration.ofMillis(3));
                        scheduler.timers.fireDue();
                    });
            scheduler.submit(process, "main");
            stepped.runAll();
            assertThat(topics).containsExactly("once", "again");

            time.advance(Duration.ofMillis(2));
            scheduler.timers.fireDue();
            stepped.runAll();
            assertThat(topics).containsExactly("once", "again", "again");
        }
    }

    /** P1: what was sent to a process whose init then throws is a dead letter, and its timers are gone. */
    @AtWorkers
    void p1_whenInitThrowsAfterItGaveOutItsAddress_thenWhatWasSentIsADeadLetter(int workers) {
        try (Scheduler scheduler = builder(workers).start()) {
            var address = new AtomicReference<Pid>();
            var process = TrackedProcess.idle().onInit((context, method, input) -> {
                address.set(context.self());
                context.timers().after(Duration.ofDays(1), "never", null);
                context.send(context.self(), "early", null);
                Thrown.UNCHECKED.throwIt();
            });

            assertThat(catchThrowable(() -> scheduler.submit(process, "main"))).isNotNull();

            assertThat(scheduler.timers.size()).isZero();
            assertThat(scheduler.send(address.get(), "late", null)).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(listener.deadLetters)
                    .extracting(letter -> letter.envelope().topic(), DeadLetter::reason)
                    .containsExactly(
                            tuple("early", DeadLetter.Reason.UNREAD), tuple("late", DeadLetter.Reason.NO_SUCH_PROCESS));
        }
    }

    /** P1: init throws: submit throws that, close runs once, nothing is registered, no listener hears of it. */
    @ParameterizedTest(name = "{0} workers, {1}")
    @MethodSource("workersAndThrown")
    void p1_whenInitThrows_thenTheProcessNeverWas(int workers, Thrown thrown) {
        var process = TrackedProcess.idle().onInit((context, method, input) -> thrown.throwIt());
        long id = Submission.CHOSEN_ID_MIN + 7;
        try (Scheduler scheduler = builder(workers).maxProcesses(1).start()) {
            Throwable caught = catchThrowable(
                    () -> scheduler.submit(Submission.of(process, "main").id(id)));

            if (thrown.throwable() instanceof Exception e && !(e instanceof RuntimeException)) {
                assertThat(caught)
                        .isInstanceOf(InitFailedException.class)
                        .hasMessage("init of dev.treadle.TrackedProcess for method \"main\" failed,"
                                + " the process was not started: see the cause");
                assertThat(caught.getCause()).isSameAs(e);
            } else {
                assertThat(caught == thrown.throwable())
                        .as("thrown as it is: " + thrown)
                        .isTrue();
            }
            process.assertClosedOnce();
            assertThat(process.steps).hasValue(0);
            assertThat(scheduler.processes()).isEmpty();
            assertThat(scheduler.inspect(Pid.of("begin", id))).isEmpty();
            assertThat(scheduler.stats().alive()).isZero();
            assertThat(scheduler.stats().submitted()).isZero();
            assertThat(scheduler.stats().completed())
                    .as("what was never started has not ended")
                    .isZero();

            // Its place and its id are free again.
            var next = TrackedProcess.done("next");
            assertThat(scheduler.submit(Submission.of(next, "main").id(id)).result())
                    .succeedsWithin(LIMIT)
                    .isEqualTo("next");
            assertThat(listener.starts).extracting(ProcessInfo::pid).containsExactly(Pid.of("begin", id));
        }
        assertThat(listener.exits).as("only the second process").hasSize(1);
        assertThat(listener.deadLetters).isEmpty();
    }

    /** P1: the same for a child: spawn throws inside the parent's step, which goes on. */
    @AtWorkers
    void p1_whenInitOfAChildThrows_thenSpawnThrowsAndTheParentGoesOn(int workers) {
        var child = TrackedProcess.idle().onInit((context, method, input) -> Thrown.UNCHECKED.throwIt());
        var parent = new AtomicReference<TrackedProcess>();
        parent.set(new TrackedProcess((events, out) ->
                out.done(catchThrowable(() -> parent.get().context().spawn(child, "main")))));
        try (Scheduler scheduler = builder(workers).start()) {
            assertThat(scheduler.submit(parent.get(), "main").result())
                    .succeedsWithin(LIMIT)
                    .isSameAs(Thrown.UNCHECKED.throwable());
            child.assertClosedOnce();
            assertThat(listener.starts).hasSize(1);
            assertThat(scheduler.stats().submitted()).isEqualTo(1);
            assertThat(scheduler.stats().completed()).isEqualTo(1);
        }
    }

    /** P1: what a close after a failed init throws is reported, and does not hide what init threw. */
    @AtWorkers
    void p1_whenInitAndCloseThrow_thenSubmitThrowsWhatInitThrew(int workers) {
        var process = TrackedProcess.idle()
                .onInit((context, method, input) -> Thrown.UNCHECKED.throwIt())
                .onClose(Thrown.ASSERTION::throwIt);
        try (var log = new LogRecorder();
                Scheduler scheduler = builder(workers).start()) {
            assertThatThrownBy(() -> scheduler.submit(process, "main")).isSameAs(Thrown.UNCHECKED.throwable());
            assertThat(scheduler.stats().listenerFailures()).isEqualTo(1);
            assertThat(log.texts).singleElement().asString().contains("close() of process {begin|1} threw");
        }
        process.assertClosedOnce();
    }

    /** P1: a listener that refuses: the process is closed and not registered, and nobody hears of its end. */
    @AtWorkers
    void p1_whenAListenerRefuses_thenSubmitThrowsItsReason(int workers) {
        var process = TrackedProcess.idle();
        var refusal = new IllegalStateException("no more of these today");
        var refusing = new SchedulerListener() {
            @Override
            public void onStart(ProcessInfo info) {
                throw refusal;
            }
        };
        try (Scheduler scheduler =
                builder(workers).listener(refusing).maxProcesses(1).start()) {
            for (int i = 0; i < 2; i++) {
                Process refused = i == 0 ? process : TrackedProcess.idle();
                assertThatThrownBy(() -> scheduler.submit(refused, "main"))
                        .isInstanceOfSatisfying(
                                SubmissionRefusedException.class,
                                e -> assertThat(e.reason()).isEqualTo(SubmissionRefusedException.Reason.LISTENER))
                        .hasCause(refusal);
            }
            assertThat(scheduler.processes()).isEmpty();
            assertThat(scheduler.stats().completed()).isZero();
        }
        process.assertClosedOnce();
        assertThat(process.steps).hasValue(0);
        assertThat(listener.exits).isEmpty();
    }
}

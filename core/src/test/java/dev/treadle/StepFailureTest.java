// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static dev.treadle.Soon.eventually;
import static dev.treadle.Soon.reaches;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract line P6: a step that throws ends its process, and nothing else. */
class StepFailureTest {
    private final RecordingListener listener = new RecordingListener();
    private final AtomicInteger dispatched = new AtomicInteger();

    private SchedulerBuilder builder(int workers) {
        var registry = new CommandRegistry().register(Ask.class, (command, receiver) -> dispatched.incrementAndGet());
        return Scheduler.builder()
                .workers(workers)
                .handlers(registry)
                .slowStepLimit(Duration.ofMinutes(5)); // no spare workers: the threads are counted
    }

    private record Ask() implements Command {}

    static Stream<Arguments> workersAndThrown() {
        return IntStream.of(1, 2, 8)
                .boxed()
                .flatMap(workers -> Stream.of(Thrown.values()).map(thrown -> Arguments.of(workers, thrown)));
    }

    private static List<Thread> workerThreads(Scheduler scheduler) {
        return Arrays.stream(scheduler.group.workers()).map(Worker::thread).toList();
    }

    private static void awaitThreads(Scheduler scheduler) {
        eventually(() -> assertThat(workerThreads(scheduler)).doesNotContainNull());
    }

    /** P6: the throwable is the exit reason, the worker lives, others go on, and the step's yields are not dispatched. */
    @ParameterizedTest(name = "{0} workers, {1}")
    @MethodSource("workersAndThrown")
    void p6_whenAStepThrows_thenItEndsThatProcessAlone(int workers, Thrown thrown) {
        var bystander = TrackedProcess.idle();
        var failing = new TrackedProcess((events, out) -> {
            out.yield(new Ask(), 1);
            out.done("not this way");
            thrown.throwIt();
        });
        try (Scheduler scheduler = builder(workers).listener(listener).start()) {
            awaitThreads(scheduler);
            List<Thread> before = workerThreads(scheduler);
            ProcessRef bystanderRef = scheduler.submit(bystander, "main");
            reaches(bystanderRef, ProcessInfo.State.IDLE);
            var refs = new ArrayList<ProcessRef>();
            refs.add(scheduler.submit(failing, "main"));
            for (int i = 1; i < 2 * workers; i++) {
                refs.add(scheduler.submit(Process.of((events, out) -> thrown.throwIt()), "main"));
            }

            for (ProcessRef ref : refs) {
                assertThat(failureOf(ref).reason() == thrown.throwable())
                        .as("the very throwable: " + thrown)
                        .isTrue();
            }
            failing.assertClosedOnce();
            assertThat(failing.steps).hasValue(1);
            assertThat(dispatched).as("yields of a step that threw").hasValue(0);
            assertThat(listener.exits)
                    .hasSize(refs.size())
                    .allMatch(exit -> exit.kind() == ProcessExit.Kind.FAILED)
                    .allMatch(exit -> exit.reason() == thrown.throwable());
            assertThat(refs.get(0).inspect()).isEmpty();
            assertThat(bystanderRef.send("still there?", null)).isEqualTo(Delivery.DELIVERED);
            eventually(() -> assertThat(bystander.steps).hasValue(2));
            assertThat(workerThreads(scheduler)).as("the same threads").isEqualTo(before);
            assertThat(before).allMatch(Thread::isAlive);
        }
        bystander.assertClosedOnce();
    }

    private static ProcessExit failureOf(ProcessRef ref) {
        try {
            Object result = ref.result().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            throw new AssertionError("it was done, with " + result);
        } catch (ExecutionException e) {
            return ((ProcessFailedException) e.getCause()).exit();
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** P6: without a listener and without anybody who waits, the failure goes to the log; printing it cannot do harm. */
    @ParameterizedTest(name = "{0} workers, {1}")
    @MethodSource("workersAndThrown")
    void p6_whenNobodyListens_thenTheFailureIsLoggedAndTheWorkerLives(int workers, Thrown thrown) {
        try (var log = new LogRecorder();
                Scheduler scheduler = builder(workers).start()) {
            awaitThreads(scheduler);
            List<Thread> before = workerThreads(scheduler);
            ProcessRef ref = scheduler.submit(Process.of((events, out) -> thrown.throwIt()), "main");

            eventually(() -> assertThat(scheduler.stats().alive()).isZero());
            assertThat(scheduler
                            .submit(Process.of((events, out) -> out.done("next")), "main")
                            .result())
                    .succeedsWithin(LIMIT)
                    .isEqualTo("next");
            assertThat(workerThreads(scheduler)).isEqualTo(before);
            eventually(() -> assertThat(log.texts)
                    .singleElement()
                    .asString()
                    .contains("process " + ref.pid() + " failed with "
                            + thrown.throwable().getClass().getTypeName()));
        }
    }

    /** P6: a stack that really overflows, with the worker's frames below. */
    @AtWorkers
    void p6_whenTheStackOverflows_thenTheWorkerLives(int workers) {
        try (Scheduler scheduler = builder(workers).listener(listener).start()) {
            awaitThreads(scheduler);
            List<Thread> before = workerThreads(scheduler);
            for (int i = 0; i < 20; i++) {
                ProcessRef ref = scheduler.submit(Process.of((events, out) -> out.done(depth(0))), "main");
                assertThat(failureOf(ref).reason()).isInstanceOf(StackOverflowError.class);
            }
            assertThat(workerThreads(scheduler)).isEqualTo(before);
        }
    }

    @SuppressWarnings("InfiniteRecursion") // wanted
    private static int depth(int depth) {
        return 1 + depth(depth + 1);
    }

    /** P6: a later step that throws: what the process had not read becomes dead letters, its exit is told once. */
    @AtWorkers
    void p6_whenALaterStepThrows_thenWhatItHadNotReadIsAccountedFor(int workers) {
        try (SteppedScheduler stepped =
                builder(workers).listener(listener).eventBudget(2).stepped()) {
            ProcessRef ref = stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                if (!events.isEmpty()) {
                                    throw new IllegalArgumentException("cannot do that");
                                }
                            }),
                            "main");
            stepped.runAll();
            for (int i = 0; i < 5; i++) {
                ref.send("count", i);
            }
            stepped.runAll();

            assertThat(listener.exits)
                    .singleElement()
                    .extracting(ProcessExit::reason)
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(listener.deadLetters)
                    .extracting(letter -> letter.envelope().payload())
                    .as("a step was handed 0 and 1")
                    .containsExactly(2, 3, 4);
        }
    }

    /** P6: a yield with what it must not have is the step's own mistake: it ends the process, and the rest of it too. */
    @AtWorkers
    void p6_whenAStepMisusesItsOutput_thenItsEarlierYieldsAreNotDispatched(int workers) {
        try (Scheduler scheduler = builder(workers).listener(listener).start()) {
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        out.yield(new Ask(), 1);
                        out.yield(null, 2);
                    }),
                    "main");

            assertThat(failureOf(ref).reason())
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("command is null: give the command to run");
            assertThat(dispatched).hasValue(0);
        }
    }

    /** P6: an interrupt that a failing step leaves behind is not passed on to the next process. */
    @AtWorkers
    void p6_whenAStepLeavesItsThreadInterrupted_thenTheNextProcessIsNot(int workers) {
        try (SteppedScheduler stepped = builder(workers).stepped()) {
            stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                Thread.currentThread().interrupt();
                                throw new InterruptedException("as a blocking call would");
                            }),
                            "main");
            try (var log = new LogRecorder()) {
                stepped.runOne(0);
                assertThat(log.texts).hasSize(1);
            }
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        } finally {
            Thread.interrupted();
        }
    }

    /** P6: a listener that throws when it hears of the end changes nothing for those who wait. */
    @AtWorkers
    void p6_whenTheListenerThrowsToo_thenTheResultStillComes(int workers) {
        var broken = new SchedulerListener() {
            @Override
            public void onComplete(ProcessExit exit) {
                Thrown.UNPRINTABLE_WITH_ERROR.throwIt();
            }
        };
        try (var log = new LogRecorder();
                Scheduler scheduler =
                        builder(workers).listener(broken).listener(listener).start()) {
            ProcessRef ref = scheduler.submit(Process.of((events, out) -> Thrown.CHECKED.throwIt()), "main");

            assertThat(failureOf(ref).reason()).isSameAs(Thrown.CHECKED.throwable());
            assertThat(listener.exits).as("the listener after it is told").hasSize(1);
            assertThat(scheduler.stats().listenerFailures()).isEqualTo(1);
            assertThat(log.texts).singleElement().asString().contains("a listener threw");
        }
    }
}

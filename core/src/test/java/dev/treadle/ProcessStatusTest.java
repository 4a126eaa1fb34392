// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static dev.treadle.Soon.reaches;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.ProcessInfo.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;

/** Contract line P5: what each status means. Which one counts if several are said: {@link StepOutputTest} too. */
class ProcessStatusTest {
    private final Queue<ResultReceiver> unanswered = new ConcurrentLinkedQueue<>();
    private final List<String> steps = new CopyOnWriteArrayList<>();
    private Scheduler scheduler;

    private Scheduler start(int workers) {
        var registry = new CommandRegistry().register(Ask.class, (command, receiver) -> unanswered.add(receiver));
        scheduler = Scheduler.builder()
                .workers(workers)
                .handlers(registry)
                .slowStepLimit(Duration.ofMinutes(5)) // no spare workers: one test looks at their numbers
                .start();
        return scheduler;
    }

    @AfterEach
    void close() {
        if (scheduler != null) {
            scheduler.close();
        }
    }

    private record Ask() implements Command {}

    /** Writes down what each step gets; does as told in the first one, and is done when it gets "end" or a signal. */
    private Process noting(StepFunction first) {
        return Process.of((events, out) -> {
            steps.add(describe(events));
            if (steps.size() == 1) {
                first.step(events, out);
            }
            for (Event event : events) {
                if (event instanceof Signal
                        || (event instanceof Message m && m.topic().equals("end"))) {
                    out.done("ended");
                }
            }
        });
    }

    private static String describe(Events events) {
        var words = new ArrayList<String>();
        for (Event event : events) {
            words.add(
                    event instanceof Message message
                            ? message.topic()
                            : event instanceof Completion completion
                                    ? "completion " + completion.tag()
                                    : "signal " + ((Signal) event).reason());
        }
        return String.join(", ", words);
    }

    private static long stepsOf(ProcessRef ref) {
        return ref.inspect().orElseThrow().steps();
    }

    /** P5: await() is BLOCKED. Messages wait, a completion wakes; then all comes in order. */
    @AtWorkers
    void p5_await_messagesWaitAndACompletionWakes(int workers) {
        ProcessRef ref = start(workers)
                .submit(
                        noting((events, out) -> {
                            out.yield(new Ask(), 7);
                            out.await();
                        }),
                        "main");
        reaches(ref, State.BLOCKED);

        for (String topic : new String[] {"one", "two", "end"}) {
            ref.send(topic, null);
            assertThat(ref.inspect().orElseThrow().state()).isEqualTo(State.BLOCKED);
        }
        assertThat(ref.inspect().orElseThrow().queueLength()).isEqualTo(3);
        assertThat(stepsOf(ref)).as("no message has woken it").isEqualTo(1);
        unanswered.remove().complete("answer");

        assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("ended");
        assertThat(steps).containsExactly("", "one, two, end, completion 7");
    }

    /** P5: await(): a signal wakes too, and comes before what waited longer. */
    @AtWorkers
    void p5_await_aSignalWakes(int workers) {
        ProcessRef ref = start(workers)
                .submit(
                        noting((events, out) -> {
                            out.yield(new Ask(), 7);
                            out.await();
                        }),
                        "main");
        reaches(ref, State.BLOCKED);
        ref.send("one", null);

        ref.cancel("enough");

        assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("ended");
        assertThat(steps).containsExactly("", "signal enough, one");
    }

    /** P5: await() without a command in flight waits for a signal alone. */
    @AtWorkers
    void p5_await_withNothingInFlightWaitsForASignal(int workers) {
        ProcessRef ref = start(workers).submit(noting((events, out) -> out.await()), "main");
        reaches(ref, State.BLOCKED);
        ref.send("one", null);
        assertThat(ref.inspect().orElseThrow().state()).isEqualTo(State.BLOCKED);

        ref.cancel("enough");

        assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("ended");
        assertThat(steps).containsExactly("", "signal enough, one");
    }

    /** P5: await() after messages have come already: they do not keep the process awake. */
    @AtWorkers
    void p5_await_messagesThatAreThereAlreadyWaitToo(int workers) {
        var self = new AtomicReference<TrackedProcess>();
        self.set(new TrackedProcess(noting((events, out) -> {
            self.get().context().send(self.get().context().self(), "one", null);
            out.await();
        })::step));
        ProcessRef ref = start(workers).submit(self.get(), "main");
        reaches(ref, State.BLOCKED);
        assertThat(ref.inspect().orElseThrow().queueLength()).isEqualTo(1);

        ref.cancel("enough");

        assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("ended");
        assertThat(steps).containsExactly("", "signal enough, one");
    }

    /** P5: idle() is IDLE. Any event wakes: a completion of a yield in flight, a message, a signal. */
    @AtWorkers
    void p5_idle_anyEventWakes(int workers) {
        ProcessRef ref = start(workers)
                .submit(
                        noting((events, out) -> {
                            out.yield(new Ask(), 7);
                            out.idle();
                        }),
                        "main");
        reaches(ref, State.IDLE);
        assertThat(ref.inspect().orElseThrow().yieldsInFlight()).isEqualTo(1);

        ref.send("one", null);
        Soon.eventually(() -> assertThat(steps).hasSize(2));
        reaches(ref, State.IDLE);
        unanswered.remove().complete(null);
        Soon.eventually(() -> assertThat(steps).hasSize(3));
        reaches(ref, State.IDLE);
        ref.cancel("enough");

        assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("ended");
        assertThat(steps).containsExactly("", "one", "completion 7", "signal enough");
    }

    /** P5: nothing said: BLOCKED if this step yielded; else IDLE, even if a yield of an earlier step is in flight. */
    @AtWorkers
    void p5_nothingSaid_blockedIfThisStepYieldedElseIdle(int workers) {
        ProcessRef ref = start(workers)
                .submit(
                        noting((events, out) -> {
                            out.yield(new Ask(), 1);
                            out.yield(new Ask(), 2);
                        }),
                        "main");
        reaches(ref, State.BLOCKED);
        ref.send("waits", null);

        unanswered.remove().complete(null);

        reaches(ref, State.IDLE);
        assertThat(ref.inspect().orElseThrow().yieldsInFlight()).isEqualTo(1);
        ref.send("end", null);
        assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("ended");
        assertThat(steps).containsExactly("", "waits, completion 1", "end");
    }

    /** P5: nothing said and nothing yielded: IDLE. */
    @AtWorkers
    void p5_nothingSaidNorYielded_idle(int workers) {
        ProcessRef ref = start(workers).submit(noting((events, out) -> {}), "main");
        reaches(ref, State.IDLE);

        ref.send("end", null);

        assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("ended");
    }

    /** P5: a completion that is there before the step ends does not let await() sleep. */
    @AtWorkers
    void p5_await_anAnswerOnTheSpotIsNotMissed(int workers) {
        var registry = new CommandRegistry().register(Ask.class, (command, receiver) -> receiver.complete("now"));
        scheduler = Scheduler.builder().workers(workers).handlers(registry).start();
        ProcessRef ref = scheduler.submit(
                Process.of((events, out) -> {
                    if (events.isEmpty()) {
                        out.yield(new Ask(), 1);
                        out.await();
                    } else {
                        out.done(((Completion) events.get(0)).data());
                    }
                }),
                "main");

        assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo("now");
    }

    /** P5: again() is READY, and the next step comes without an event. */
    @AtWorkers
    void p5_again_anotherStepFollows(int workers) {
        ProcessRef ref = start(workers)
                .submit(
                        Process.of((events, out) -> {
                            steps.add(describe(events));
                            if (steps.size() < 1_000) {
                                out.again();
                            } else {
                                out.done(steps.size());
                            }
                        }),
                        "main");

        assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo(1_000);
        assertThat(steps).containsOnly("");
    }

    /** P5: again() is behind what is already waiting. */
    @AtWorkers
    void p5_again_isBehindThoseWhoWait(int workers) {
        var log = new ArrayList<String>();
        try (SteppedScheduler stepped = Scheduler.builder().workers(workers).stepped()) {
            for (String name : new String[] {"a", "b", "c"}) {
                int[] turns = {0};
                stepped.scheduler()
                        .submit(
                                Process.of((events, out) -> {
                                    log.add(name);
                                    turns[0]++;
                                    if (turns[0] < 3) {
                                        out.again();
                                    }
                                }),
                                "main");
            }
            while (stepped.runOne(0)) {
                // one worker for all, so that there is an order
            }
        }
        assertThat(log.subList(0, 3)).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(log.subList(3, 6)).as("in the order they asked").isEqualTo(log.subList(0, 3));
        assertThat(log.subList(6, 9)).isEqualTo(log.subList(0, 3));
    }

    /** P5: done(result) is COMPLETE: it is gone, its result is there, and null is a result as well. */
    @AtWorkers
    void p5_done_itIsGoneAndHasItsResult(int workers) {
        start(workers);
        for (Object result : new Object[] {42, null, "text"}) {
            ProcessRef ref = scheduler.submit(Process.of((events, out) -> out.done(result)), "main");
            assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo(result);
            assertThat(ref.inspect()).isEmpty();
            assertThat(scheduler.processes()).isEmpty();
        }
        assertThat(scheduler
                        .submit(Process.of((events, out) -> out.done()), "main")
                        .result())
                .succeedsWithin(LIMIT)
                .isNull();
    }

    /** P5: while its step runs a process is RUNNING, on the worker that inspect() says. */
    @AtWorkers
    void p5_whileTheStepRuns_itIsRunning(int workers) {
        start(workers);
        var process = new TrackedProcess[1];
        process[0] = new TrackedProcess((events, out) ->
                out.done(scheduler.inspect(process[0].context().self()).orElseThrow()));

        assertThat(scheduler.submit(process[0], "main").result())
                .succeedsWithin(LIMIT)
                .isInstanceOfSatisfying(ProcessInfo.class, info -> {
                    assertThat(info.state()).isEqualTo(State.RUNNING);
                    assertThat(info.worker()).isBetween(0, workers - 1);
                });
    }

    /** P5: the last one said counts. */
    @AtWorkers
    void p5_theLastOneSaidCounts(int workers) {
        start(workers);
        ProcessRef takenBack = scheduler.submit(
                noting((events, out) -> {
                    out.done("too soon");
                    out.again();
                    out.await();
                    out.idle();
                }),
                "main");
        reaches(takenBack, State.IDLE);
        takenBack.send("end", null);
        assertThat(takenBack.result()).succeedsWithin(LIMIT).isEqualTo("ended");

        assertThat(scheduler
                        .submit(
                                Process.of((events, out) -> {
                                    out.idle();
                                    out.upgrade(TrackedProcess.idle(), "never");
                                    out.done("first");
                                    out.await();
                                    out.done("last");
                                }),
                                "main")
                        .result())
                .succeedsWithin(LIMIT)
                .isEqualTo("last");
    }
}

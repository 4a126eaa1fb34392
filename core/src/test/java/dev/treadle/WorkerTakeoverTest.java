// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * S8, second half: while a worker is stuck in a step, a spare worker takes over its deque, so that the others' work goes
 * on; and when the step returns the spare one goes.
 *
 * <p>Catches: a spare that never comes, or never goes; one for each tick; queues of a stuck worker that nobody can get at;
 * processes that a spare takes with it when it goes.
 */
class WorkerTakeoverTest {
    private static final Duration LIMIT = Duration.ofMillis(20);
    private static final int PROCESSES = 64;
    private static final long PATIENCE_SECONDS = 60;

    private final Semaphore handled = new Semaphore(0);
    private final RecordingListener heard = new RecordingListener();

    private Scheduler start(int workers) {
        return Scheduler.builder()
                .name("takeover")
                .workers(workers)
                .slowStepLimit(LIMIT)
                .listener(heard)
                .start();
    }

    private static ConditionFactory await() {
        return Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(PATIENCE_SECONDS));
    }

    private Process counted() {
        return Process.of((events, out) -> handled.release(events.size()));
    }

    private List<ProcessRef> submitCounted(Scheduler scheduler, int count) {
        return Stream.generate(() -> scheduler.submit(counted(), "main"))
                .limit(count)
                .toList();
    }

    private void awaitHandled(int messages) throws InterruptedException {
        assertThat(handled.tryAcquire(messages, PATIENCE_SECONDS, SECONDS))
                .as("%d messages are handled while the step goes on", messages)
                .isTrue();
    }

    private static List<HoldingProcess> hold(Scheduler scheduler, int count) throws InterruptedException {
        List<HoldingProcess> all =
                Stream.generate(HoldingProcess::new).limit(count).toList();
        for (HoldingProcess each : all) {
            scheduler.submit(each, "main");
            each.awaitHeld();
        }
        return all;
    }

    /** Until each of the regular workers is held: on a slow machine a spare one may take some of the holds. */
    private static List<HoldingProcess> holdRegular(Scheduler scheduler, int workers) throws InterruptedException {
        var held = new ArrayList<HoldingProcess>();
        while (!Arrays.stream(scheduler.group.workers()).limit(workers).allMatch(WorkerTakeoverTest::isHeld)) {
            held.addAll(hold(scheduler, 1));
        }
        return held;
    }

    /** By one that holds: it may also be in a short step of another. */
    private static boolean isHeld(Worker worker) {
        ProcessCell running = worker.runningAcquire();
        return running != null && running.process() instanceof HoldingProcess;
    }

    @Nested
    class S8GivenAllWorkersAreHeld {
        @AtWorkers
        void whenProcessesAreWokenFromOutside_thenSpareWorkersRunThem(int workers) throws InterruptedException {
            try (Scheduler scheduler = start(workers)) {
                List<ProcessRef> processes = submitCounted(scheduler, PROCESSES);
                List<HoldingProcess> held = holdRegular(scheduler, workers);

                processes.forEach(each -> each.send("work", null));

                awaitHandled(PROCESSES);
                assertThat(processes)
                        .as("run by spare workers, whose numbers come after the others")
                        .allMatch(each -> each.inspect().orElseThrow().worker() >= workers);
                held.forEach(HoldingProcess::letGo);
            }
        }

        @AtWorkers
        void whenMoreAreSlowThanThereAreWorkers_thenThereIsASpareOneForEach(int workers) throws InterruptedException {
            int more = 5;
            try (Scheduler scheduler = start(workers)) {
                List<HoldingProcess> held = hold(scheduler, workers + more);

                assertThat(SchedulerThreads.of(scheduler, "spare-")).hasSizeBetween(more, workers + more);
                await().until(() -> heard.slowSteps.size() == workers + more);
                held.forEach(HoldingProcess::letGo);
            }
        }
    }

    /** A step that wakes others holds their worker until they were run. On one worker only a spare one can do that. */
    @Nested
    class S8GivenAStepThatHoldsAllThatItsWorkerHas {
        @AtWorkers
        void thenWhatIsInItsDequeAndItsNextSlotIsRun(int workers) {
            try (Scheduler scheduler = start(workers)) {
                List<ProcessRef> processes = submitCounted(scheduler, PROCESSES);

                ProcessRef holder = scheduler.submit(
                        Process.of((events, out) -> {
                            processes.forEach(each -> each.send("work", null));
                            awaitHandled(PROCESSES);
                            out.done();
                        }),
                        "main");

                assertThat(holder.result()).succeedsWithin(Duration.ofSeconds(2 * PATIENCE_SECONDS));
            }
        }

        @AtWorkers
        void thenWhatIsInItsNextSlotAloneIsRun(int workers) {
            try (Scheduler scheduler = start(workers)) {
                ProcessRef handedOff = submitCounted(scheduler, 1).get(0);

                ProcessRef holder = scheduler.submit(
                        Process.of((events, out) -> {
                            handedOff.send("work", null);
                            awaitHandled(1);
                            out.done();
                        }),
                        "main");

                assertThat(holder.result()).succeedsWithin(Duration.ofSeconds(2 * PATIENCE_SECONDS));
            }
        }

        /** What a binding does when the step has returned is user code too, and the process is about to sleep. */
        @AtWorkers
        void thenWhatIsInItsNextSlotIsRunWhileABindingIsUndone(int workers) throws InterruptedException {
            var woke = new ThreadLocal<@Nullable Boolean>();
            var undone = new CompletableFuture<Boolean>();
            try (Scheduler scheduler = Scheduler.builder()
                    .name("takeover")
                    .workers(workers)
                    .slowStepLimit(LIMIT)
                    .binding(attributes -> () -> {
                        if (woke.get() != null) {
                            woke.remove();
                            undone.complete(acquireHandled());
                        }
                    })
                    .start()) {
                ProcessRef handedOff = submitCounted(scheduler, 1).get(0);

                scheduler.submit(
                        Process.of((events, out) -> {
                            handedOff.send("work", null);
                            woke.set(true);
                            out.idle();
                        }),
                        "main");

                assertThat(undone)
                        .as("the message was handled while the binding was undone")
                        .succeedsWithin(Duration.ofSeconds(2 * PATIENCE_SECONDS))
                        .isEqualTo(true);
            }
        }

        private boolean acquireHandled() {
            try {
                return handled.tryAcquire(1, PATIENCE_SECONDS, SECONDS);
            } catch (InterruptedException e) {
                return false;
            }
        }

        /** All say again(); the first to be stepped for the second time holds its worker until all the others were. */
        @AtWorkers
        void thenWhatSaidAgainIsRun(int workers) {
            var seconds = new AtomicInteger();
            try (Scheduler scheduler = start(workers)) {
                List<ProcessRef> all = new ArrayList<>();
                for (int i = 0; i < PROCESSES; i++) {
                    var steps = new AtomicInteger();
                    all.add(scheduler.submit(
                            Process.of((events, out) -> {
                                if (steps.incrementAndGet() == 1) {
                                    out.again();
                                    return;
                                }
                                if (seconds.getAndIncrement() == 0) {
                                    awaitHandled(PROCESSES - 1);
                                } else {
                                    handled.release();
                                }
                                out.done();
                            }),
                            "main"));
                }
                assertThat(all)
                        .allSatisfy(each ->
                                assertThat(each.result()).succeedsWithin(Duration.ofSeconds(2 * PATIENCE_SECONDS)));
            }
        }
    }

    @Nested
    class S8GivenSlowStepsThatReturn {
        @AtWorkers
        void thenTheSpareWorkersEnd(int workers) throws InterruptedException {
            try (Scheduler scheduler = start(workers)) {
                List<HoldingProcess> held = hold(scheduler, workers + 3);
                assertThat(SchedulerThreads.of(scheduler, "spare-")).isNotEmpty();

                held.forEach(HoldingProcess::letGo);

                await().untilAsserted(() -> {
                    assertThat(SchedulerThreads.of(scheduler, "spare-"))
                            .as("spare")
                            .isEmpty();
                    assertThat(SchedulerThreads.of(scheduler, "worker-"))
                            .as("regular")
                            .hasSize(workers);
                });
            }
        }

        @AtWorkers
        void whenThatHappensAgainAndAgain_thenSpareWorkersAreUsedAgain(int workers) throws InterruptedException {
            try (Scheduler scheduler = start(workers)) {
                for (int i = 0; i < 5; i++) {
                    List<HoldingProcess> held = hold(scheduler, workers + 1);
                    held.forEach(HoldingProcess::letGo);
                    await().until(() -> scheduler.stats().alive() == 0);
                }
                assertThat(scheduler.stats().workers())
                        .as("the regular ones, and no more spare ones than were needed at a time")
                        .hasSizeLessThanOrEqualTo(2 * workers + 1);
            }
        }

        /** Steps that sleep for a random while around the limit make spare workers come, stay, go and come again. */
        @AtWorkers
        void whenSpareWorkersComeAndGoAllTheTime_thenNothingIsLost(int workers) throws InterruptedException {
            int processes = 40;
            int messages = 25;
            try (Scheduler scheduler = Scheduler.builder()
                    .workers(workers)
                    .slowStepLimit(Duration.ofMillis(2))
                    .listener(heard)
                    .start()) {
                List<ProcessRef> all = new ArrayList<>();
                for (int i = 0; i < processes; i++) {
                    all.add(scheduler.submit(new Passing(all, i), "main"));
                }
                for (int i = 0; i < processes; i++) {
                    all.get(i).send("pass", messages);
                }
                awaitHandled(processes * messages);
                assertThat(heard.slowSteps).as("some were slow").isNotEmpty();
            }
        }

        /** Passes each message on to the next process until it was passed so often; sleeps now and then. */
        private final class Passing implements Process {
            private final List<ProcessRef> all;
            private final int index;
            private ProcessContext context;

            Passing(List<ProcessRef> all, int index) {
                this.all = all;
                this.index = index;
            }

            @Override
            public void init(ProcessContext context, String method, Payloads input) {
                this.context = context;
            }

            @Override
            public void step(Events events, StepOutput out) throws InterruptedException {
                for (Event event : events) {
                    if (event instanceof Message message) {
                        int left = message.payload(Integer.class) - 1;
                        if (left > 0) {
                            all.get((index + 1) % all.size()).send("pass", left);
                        }
                        if (context.random().nextInt(10) == 0) {
                            Thread.sleep(context.random().nextInt(8));
                        }
                        handled.release();
                    } else {
                        out.done();
                    }
                }
            }
        }
    }

    @Nested
    class S8GivenTooManySlowSteps {
        @Test
        void whenAllSpareWorkersAreHeld_thenTheNextWaitsUntilOneIsFree() throws InterruptedException {
            int most = 1 + WorkerGroup.SPARES_MAX;
            try (Scheduler scheduler = start(1)) {
                List<HoldingProcess> held = hold(scheduler, most);
                var oneTooMany = new HoldingProcess();
                scheduler.submit(oneTooMany, "main");
                await().until(() -> heard.slowSteps.size() == most);

                assertThat(SchedulerThreads.of(scheduler, "spare-"))
                        .as("all there may be")
                        .hasSize(WorkerGroup.SPARES_MAX);
                assertThat(oneTooMany.holds()).as("has begun").isFalse();

                held.get(7).letGo();
                oneTooMany.awaitHeld();
                oneTooMany.letGo();
                held.forEach(HoldingProcess::letGo);
            }
        }
    }
}

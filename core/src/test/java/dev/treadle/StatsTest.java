// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.ProcessInfo.State;
import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** V1: each figure of stats() moves when it should, and only then. {@link StatsRecountTest} adds them up under load. */
class StatsTest {
    private final ManualTime time = new ManualTime();
    private final List<ResultReceiver> receivers = new ArrayList<>();

    /** Answered by the test, if at all. */
    private record Wait() implements Command {}

    private SchedulerBuilder scheduler(int workers) {
        var registry = new CommandRegistry().register(Wait.class, (wait, receiver) -> receivers.add(receiver));
        return Scheduler.builder().workers(workers).handlers(registry).time(time);
    }

    private SteppedScheduler stepped(int workers) {
        return scheduler(workers).stepped();
    }

    @Nested
    class GivenAFreshScheduler {
        @AtWorkers
        void v1_whenNothingHasHappened_thenAllIsZeroAndThereIsAnEntryForEachWorker(int workers) {
            SchedulerStats stats = stepped(workers).scheduler().stats();

            assertThat(stats.workers()).hasSize(workers);
            for (int i = 0; i < workers; i++) {
                assertThat(stats.workers().get(i)).isEqualTo(new WorkerStats(i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
            }
            assertThat(stats.total()).isEqualTo(new WorkerStats(-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
            assertThat(stats)
                    .usingRecursiveComparison()
                    .ignoringFields("workers", "readyDelay")
                    .isEqualTo(new SchedulerStats(List.of(), Map.of(), 0, 0, 0, 0, 0, 0, 0, 0, stats.readyDelay()));
            assertThat(stats.readyDelay().count()).isZero();
            assertThat(stats.alive()).isZero();
        }
    }

    @Nested
    class GivenProcessesThatWork {
        @AtWorkers
        void v1_whenTheyStepSendAndYield_thenTheWorkerThatRunsThemCountsIt(int workers) {
            SteppedScheduler stepped = stepped(workers);
            int last = workers - 1;
            ProcessRef target = stepped.scheduler().submit(ProbeProcess.deaf(), "main");
            stepped.runOne(last);
            ProcessRef sender = stepped.scheduler()
                    .submit(
                            new ProbeProcess((context, events, out) -> {
                                if (!events.isEmpty()) {
                                    context.send(target.pid(), "one", null);
                                    context.send(target.pid(), "two", null);
                                    out.yield(new Wait(), 1);
                                    out.yield(new Wait(), 2);
                                    out.yield(new Wait(), 3);
                                    out.idle();
                                }
                            }),
                            "main");
            stepped.runOne(last);
            sender.send("go", null);
            sender.send("go", null);

            stepped.runOne(last); // sender gets both in one step
            stepped.runOne(last); // target gets two in one step

            WorkerStats stats = stepped.scheduler().stats().workers().get(last);
            assertThat(stats.steps()).isEqualTo(4);
            assertThat(stats.events()).isEqualTo(4);
            assertThat(stats.messagesSent()).isEqualTo(2);
            assertThat(stats.yields()).isEqualTo(3);
            assertThat(stepped.scheduler().stats().messagesFromOutside()).isEqualTo(2);
            assertThat(stepped.scheduler().stats().total())
                    .as("the others did nothing")
                    .usingRecursiveComparison()
                    .ignoringFields("index")
                    .isEqualTo(stats);
        }

        @AtWorkers
        void v1_whenTheyStartAndEnd_thenSubmittedAndCompletedCountThem(int workers) {
            SteppedScheduler stepped = stepped(workers);
            Scheduler scheduler = stepped.scheduler();
            scheduler.submit(Process.of((events, out) -> out.done()), "main");
            scheduler.submit(
                    Process.of((events, out) -> {
                        throw new IllegalStateException("on purpose");
                    }),
                    "main");
            scheduler.submit(
                    new ProbeProcess((context, events, out) -> {
                        if (events.isEmpty()) {
                            context.spawn(ProbeProcess.deaf(), "child");
                        }
                    }),
                    "main");
            assertThat(scheduler.stats().submitted()).isEqualTo(3);
            assertThat(scheduler.stats().completed()).isZero();

            stepped.runAll();

            assertThat(scheduler.stats().submitted()).isEqualTo(4);
            assertThat(scheduler.stats().completed()).isEqualTo(2);
            assertThat(scheduler.stats().alive()).isEqualTo(2);
            scheduler.shutdown(Duration.ZERO);
            assertThat(scheduler.stats().completed()).isEqualTo(4);
        }

        @AtWorkers
        void v1_whenASubmissionFails_thenItIsNotCounted(int workers) {
            SteppedScheduler stepped = stepped(workers);
            Scheduler scheduler = stepped.scheduler();
            Process broken = new Process() {
                @Override
                public void init(ProcessContext context, String method, Payloads input) {
                    throw new IllegalArgumentException("no such method");
                }

                @Override
                public void step(Events events, StepOutput out) {}
            };

            assertThatThrownBy(() -> scheduler.submit(broken, "main")).isInstanceOf(IllegalArgumentException.class);
            scheduler.submit(
                    new ProbeProcess((context, events, out) -> {
                        assertThatThrownBy(() -> context.spawn(broken, "main"))
                                .isInstanceOf(IllegalArgumentException.class);
                        out.done();
                    }),
                    "main");
            stepped.runAll();

            assertThat(scheduler.stats().submitted()).isEqualTo(1);
            assertThat(scheduler.stats().completed()).isEqualTo(1);
            assertThat(scheduler.stats().alive()).isZero();
        }

        /** P1: before init has returned nobody sees the process, and so it is in no figure. */
        @Test
        void v1_whenInitStillRuns_thenTheProcessIsNotCounted() {
            SteppedScheduler stepped = stepped(1);
            var seen = new AtomicReference<SchedulerStats>();
            stepped.scheduler()
                    .submit(
                            new Process() {
                                @Override
                                public void init(ProcessContext context, String method, Payloads input) {
                                    seen.set(stepped.scheduler().stats());
                                }

                                @Override
                                public void step(Events events, StepOutput out) {}
                            },
                            "main");

            assertThat(seen.get().alive()).isZero();
            assertThat(stepped.scheduler().stats().alive()).isEqualTo(1);
        }

        @AtWorkers
        void v1_whenTheyAreInDifferentStates_thenEachStateIsCounted(int workers) {
            SteppedScheduler stepped = stepped(workers);
            Scheduler scheduler = stepped.scheduler();
            for (int i = 0; i < 3; i++) {
                scheduler.submit(ProbeProcess.deaf(), "main");
            }
            for (int i = 0; i < 2; i++) {
                scheduler.submit(Process.of((events, out) -> out.yield(new Wait(), 1)), "main");
            }
            stepped.runAll();
            List<Map<State, Long>> during = new ArrayList<>();
            scheduler.submit(
                    new ProbeProcess(
                            (context, events, out) -> {
                                during.add(scheduler.stats().processes());
                                out.done();
                            },
                            () -> during.add(scheduler.stats().processes())),
                    "main");
            scheduler.submit(ProbeProcess.deaf(), "main");
            scheduler.submit(ProbeProcess.deaf(), "main");
            assertThat(scheduler.stats().processes())
                    .isEqualTo(Map.of(State.IDLE, 3L, State.BLOCKED, 2L, State.READY, 3L));

            stepped.runOne(0);

            assertThat(during)
                    .containsExactly(
                            Map.of(State.IDLE, 3L, State.BLOCKED, 2L, State.READY, 2L, State.RUNNING, 1L),
                            Map.of(State.IDLE, 3L, State.BLOCKED, 2L, State.READY, 2L, State.COMPLETE, 1L));
            stepped.runAll();
            assertThat(scheduler.stats().processes()).isEqualTo(Map.of(State.IDLE, 5L, State.BLOCKED, 2L));
            assertThat(scheduler.stats().alive()).isEqualTo(7);
        }
    }

    @Nested
    class GivenProcessesThatWaitToRun {
        @AtWorkers
        void v1_whenTheyComeFromOutside_thenTheGlobalQueueHoldsThemUntilAWorkerTakesABatch(int workers) {
            SteppedScheduler stepped = stepped(workers);
            for (int i = 0; i < 20; i++) {
                stepped.scheduler().submit(ProbeProcess.deaf(), "main");
            }
            assertThat(stepped.scheduler().stats().globalQueueLength()).isEqualTo(20);

            stepped.runOne(0);

            SchedulerStats stats = stepped.scheduler().stats();
            assertThat(stats.globalQueueLength()).isEqualTo(20 - 1 - 16);
            assertThat(stats.workers().get(0).queueLength()).isEqualTo(16);
            assertThat(stats.total().queueLength()).isEqualTo(16);
        }

        /** In any of its queues: what the last step woke first is in front of the deque, and waits as well. */
        @AtWorkers
        void v1_whenAStepWakesOthers_thenTheQueuesOfItsWorkerHoldThem(int workers) {
            SteppedScheduler stepped = stepped(workers);
            spawnEight(stepped);

            SchedulerStats stats = stepped.scheduler().stats();

            assertThat(stats.processes()).containsEntry(State.READY, 8L);
            assertThat(stats.workers().get(0).queueLength()).isEqualTo(8);
            assertThat(stats.globalQueueLength()).isZero();
        }

        @Test
        void v1_whenAnotherWorkerStealsThem_thenItCountsTriedWonAndItems() {
            SteppedScheduler stepped = stepped(2);
            spawnEight(stepped);
            int before = stepped.scheduler().stats().total().queueLength();

            stepped.runOne(1);

            SchedulerStats stats = stepped.scheduler().stats();
            WorkerStats thief = stats.workers().get(1);
            assertThat(thief.steps()).isEqualTo(1);
            assertThat(thief.stealsTried()).isEqualTo(1);
            assertThat(thief.stealsWon()).isEqualTo(1);
            assertThat(thief.itemsStolen()).as("half of what was there").isBetween(3L, 4L);
            assertThat(thief.queueLength()).as("all but the one that it ran").isEqualTo((int) thief.itemsStolen() - 1);
            assertThat(stats.total().queueLength()).isEqualTo(before - 1);
            assertThat(stats.workers().get(0).stealsTried()).isZero();
        }

        /** The parent's step on worker 0 leaves eight children ready there. */
        private void spawnEight(SteppedScheduler stepped) {
            stepped.scheduler()
                    .submit(
                            new ProbeProcess((context, events, out) -> {
                                for (int i = 0; i < 8; i++) {
                                    context.spawn(ProbeProcess.deaf(), "child");
                                }
                            }),
                            "main");
            stepped.runOne(0);
        }

        @AtWorkers
        void v1_whenTheyRun_thenTheirDelayIsMeasured(int workers) {
            SteppedScheduler stepped = stepped(workers);
            stepped.scheduler().submit(ProbeProcess.deaf(), "main");
            time.advance(Duration.ofMillis(1));

            stepped.runOne(0);

            DelayHistogram delays = stepped.scheduler().stats().readyDelay();
            assertThat(delays.count()).isEqualTo(1);
            assertThat(delays.percentile(1).toNanos()).isBetween(1_000_000L, 2_000_000L);
        }
    }

    @Nested
    class GivenWhatGoesAstray {
        @AtWorkers
        void v1_whenMessagesAreNotDeliveredOrNotRead_thenDeadLettersCountThem(int workers) {
            SteppedScheduler stepped = stepped(workers);
            Scheduler scheduler = stepped.scheduler();
            ProcessRef ref =
                    scheduler.submit(Submission.of(ProbeProcess.deaf(), "main").mailboxCapacity(1));
            ref.send("kept", null);
            assertThat(scheduler.stats().deadLetters()).isZero();

            assertThat(ref.send("one too many", null)).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(scheduler.stats().deadLetters()).isEqualTo(1);
            ref.terminate();
            stepped.runAll();
            assertThat(scheduler.stats().deadLetters())
                    .as("with the unread one")
                    .isEqualTo(2);
            assertThat(ref.send("too late", null)).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(scheduler.send(Pid.of("main", 4_711), "to nobody", null)).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(scheduler.stats().deadLetters()).isEqualTo(4);
        }

        @AtWorkers
        void v1_whenAnswersComeTwiceOrTooLate_thenLateAnswersCountThem(int workers) {
            SteppedScheduler stepped = stepped(workers);
            Scheduler scheduler = stepped.scheduler();
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        if (events.isEmpty()) {
                            out.yield(new Wait(), 1);
                            out.yield(new Wait(), 2, Duration.ofSeconds(1));
                            out.yield(new Wait(), 3);
                        }
                        out.idle();
                    }),
                    "main");
            stepped.runAll();

            assertThat(receivers.get(0).complete("first")).isTrue();
            assertThat(scheduler.stats().lateAnswers()).isZero();
            assertThat(receivers.get(0).complete("second")).isFalse();
            assertThat(scheduler.stats().lateAnswers()).isEqualTo(1);
            time.advance(Duration.ofSeconds(2));
            stepped.fireTimers();
            assertThat(receivers.get(1).complete("after its timeout")).isFalse();
            assertThat(scheduler.stats().lateAnswers()).isEqualTo(2);
            stepped.runAll();
            ref.terminate();
            stepped.runAll();
            assertThat(receivers.get(2).complete("after the end")).isFalse();
            assertThat(scheduler.stats().lateAnswers()).isEqualTo(3);
        }

        @AtWorkers
        void v1_whenListenersAndClosesThrow_thenListenerFailuresCountThem(int workers) {
            SteppedScheduler stepped = scheduler(workers)
                    .listener(new SchedulerListener() {
                        @Override
                        public void onComplete(ProcessExit exit) {
                            throw new IllegalStateException("a listener, on purpose");
                        }
                    })
                    .stepped();
            stepped.scheduler()
                    .submit(
                            new ProbeProcess((context, events, out) -> out.done(), () -> {
                                throw new IllegalStateException("a close, on purpose");
                            }),
                            "main");
            assertThat(stepped.scheduler().stats().listenerFailures()).isZero();

            stepped.runAll();

            assertThat(stepped.scheduler().stats().listenerFailures()).isEqualTo(2);
        }
    }
}

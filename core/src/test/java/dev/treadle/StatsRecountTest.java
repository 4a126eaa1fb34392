// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.ProcessInfo.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Nested;

/** V1: when all is quiet the figures of real workers meet a recount. */
class StatsRecountTest {
    /** No spare worker comes in, or there would be more sleepers than workers. */
    private static SchedulerBuilder scheduler(int workers) {
        return Scheduler.builder().workers(workers).slowStepLimit(Duration.ofHours(1));
    }

    /** Waits until all workers sleep, and the last of them has also counted that it does. */
    private static void awaitSleep(Scheduler scheduler, int workers) {
        Soon.until(() -> scheduler.group.isQuiet() && scheduler.group.sleepers.asleep() == workers);
        Soon.until(() -> {
            SchedulerStats stats = scheduler.stats();
            return stats.total().parks() == stats.wakeUps() + workers;
        });
    }

    @Nested
    class GivenWorkersThatSleep {
        @AtWorkers
        void v1_whenTheyAreWokenAndSleepAgain_thenParksAndWakeUpsAddUp(int workers) throws Exception {
            try (Scheduler scheduler = scheduler(workers).start()) {
                awaitSleep(scheduler, workers);
                SchedulerStats idle = scheduler.stats();
                assertThat(idle.wakeUps()).as("nobody has called").isZero();
                assertThat(idle.total().parks()).isEqualTo(workers);

                for (int i = 0; i < 100; i++) {
                    scheduler
                            .submit(Process.of((events, out) -> out.done()), "main")
                            .result()
                            .get(60, SECONDS);
                    if (i % 10 == 0) {
                        awaitSleep(scheduler, workers);
                    }
                }

                awaitSleep(scheduler, workers);
                SchedulerStats stats = scheduler.stats();
                WorkerStats total = stats.total();
                assertThat(stats.wakeUps())
                        .as("at least one for each time that all slept")
                        .isGreaterThanOrEqualTo(10);
                assertThat(total.wakeUpsUseful()).isPositive();
                assertThat(total.wakeUpsUseful() + total.wakeUpsInVain())
                        .as("each wake-up was of use or in vain: %s", stats)
                        .isEqualTo(stats.wakeUps());
                assertThat(total.queueLength() + stats.globalQueueLength()).isZero();
            }
        }

        @AtWorkers
        void v1_whenThereIsNoWork_thenTheWakeUpWasInVain(int workers) {
            try (Scheduler scheduler = scheduler(workers).start()) {
                awaitSleep(scheduler, workers);

                scheduler.group.signalWork();

                Soon.until(() -> scheduler.stats().total().wakeUpsInVain() == 1);
                awaitSleep(scheduler, workers);
                assertThat(scheduler.stats().wakeUps()).isEqualTo(1);
                assertThat(scheduler.stats().total().wakeUpsUseful()).isZero();
                assertThat(scheduler.stats().total().parks()).isEqualTo(workers + 1);
            }
        }
    }

    @Nested
    class GivenProcessesThatTalk {
        private static final int PROCESSES = 200;
        private static final int HOPS = 20;

        private final LongAdder steps = new LongAdder();
        private final LongAdder events = new LongAdder();
        private final LongAdder sends = new LongAdder();
        private final LongAdder yields = new LongAdder();

        /** Answered on the spot. */
        private record Now() implements Command {}

        /**
         * Each message goes from process to process until its hops are used up, with a command at each; a third of the
         * processes ends at the end.
         */
        @AtWorkers
        void v1_whenAllIsQuiet_thenTheSumsMeetWhatTheProcessesCounted(int workers) {
            var registry = new CommandRegistry().register(Now.class, (now, receiver) -> receiver.complete(null));
            try (Scheduler scheduler = scheduler(workers).handlers(registry).start()) {
                List<ProcessRef> refs = new ArrayList<>();
                for (int i = 0; i < PROCESSES; i++) {
                    refs.add(scheduler.submit(
                            new ProbeProcess((context, batch, out) -> hear(refs, batch, out, context)), "main"));
                }
                for (ProcessRef ref : refs) {
                    ref.send("hop", HOPS);
                }
                awaitSleep(scheduler, workers);
                for (int i = 0; i < PROCESSES; i += 3) {
                    refs.get(i).send("end", null);
                }
                awaitSleep(scheduler, workers);

                int ended = (PROCESSES + 2) / 3;
                Soon.until(() -> scheduler.stats().total().steps() == steps.sum());
                SchedulerStats stats = scheduler.stats();
                WorkerStats total = stats.total();
                assertThat(total.events()).isEqualTo(events.sum());
                assertThat(total.messagesSent()).isEqualTo(sends.sum()).isEqualTo((long) PROCESSES * HOPS);
                assertThat(total.yields()).isEqualTo(yields.sum());
                assertThat(stats.messagesFromOutside()).isEqualTo(PROCESSES + ended);
                assertThat(total.events())
                        .as("messages and completions")
                        .isEqualTo(total.messagesSent() + stats.messagesFromOutside() + total.yields());
                assertThat(stats.submitted()).isEqualTo(PROCESSES);
                assertThat(stats.completed()).isEqualTo(ended);
                assertThat(stats.processes()).containsOnlyKeys(State.IDLE);
                assertThat(stats.alive()).isEqualTo(PROCESSES - ended);
                assertThat(scheduler.processes()).hasSize(PROCESSES - ended);
                assertThat(scheduler.processes().mapToLong(ProcessInfo::steps).sum())
                        .as("steps of those that live")
                        .isLessThan(total.steps());
                assertThat(stats.deadLetters() + stats.lateAnswers() + stats.listenerFailures())
                        .isZero();
                assertThat(total.stealsWon()).isBetween(0L, total.stealsTried());
                assertThat(total.itemsStolen()).isGreaterThanOrEqualTo(total.stealsWon());
                assertThat(stats.readyDelay().count()).isPositive();
                if (workers == 1) {
                    assertThat(total.stealsTried())
                            .as("there is nobody to steal from")
                            .isZero();
                }
            }
        }

        private void hear(List<ProcessRef> refs, Events batch, StepOutput out, ProcessContext context) {
            steps.increment();
            events.add(batch.size());
            boolean ends = false;
            for (Event event : batch) {
                if (event instanceof Message message && message.topic().equals("hop")) {
                    int hops = message.payload(Integer.class);
                    if (hops > 0) {
                        Pid next = refs.get(context.random().nextInt(PROCESSES)).pid();
                        context.send(next, "hop", hops - 1);
                        sends.increment();
                    }
                    out.yield(new Now(), hops);
                    yields.increment();
                } else if (event instanceof Message) {
                    ends = true;
                }
            }
            if (ends) {
                out.done();
            } else {
                out.idle();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** E1, seen from the threads outside: who calls shutdown, how often, interrupted or not, and what others do meanwhile. */
class ShutdownCallersTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HeldUp held = new HeldUp();
    private final String name = SchedulerThreads.newName("callers");

    @AfterEach
    void release() {
        held.release();
    }

    private SchedulerBuilder scheduler(int workers) {
        return Scheduler.builder().name(name).workers(workers).listener(new SchedulerListener() {});
    }

    @Nested
    class GivenSeveralCalls {
        @AtWorkers
        void e1_whenItIsCalledAgain_thenTheFirstReportIsReturned(int workers) {
            Scheduler scheduler = scheduler(workers).start();
            scheduler.submit(ProbeProcess.obedient(), "main");

            ShutdownReport first = scheduler.shutdown(TIMEOUT);

            assertThat(first.ended()).isEqualTo(1);
            assertThat(scheduler.shutdown(Duration.ZERO)).isSameAs(first);
            scheduler.close();
        }

        @AtWorkers
        void e1_whenTwoThreadsCallIt_thenBothWaitAndGetTheSameReport(int workers) throws Exception {
            Scheduler scheduler = scheduler(workers).start();
            scheduler.submit(
                    Process.of((events, out) -> {
                        held.block();
                        out.done();
                    }),
                    "main");
            Soon.until(() -> held.entered.get() == 1);
            var barrier = new CyclicBarrier(3);
            List<CompletableFuture<ShutdownReport>> reports = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                reports.add(inThread(() -> {
                    barrier.await();
                    return scheduler.shutdown(TIMEOUT);
                }));
            }
            barrier.await();
            Soon.until(scheduler::isStopping);

            assertThat(reports).noneMatch(CompletableFuture::isDone);
            held.release();

            ShutdownReport report = reports.get(0).get(60, SECONDS);
            assertThat(report.ended()).isEqualTo(1);
            assertThat(reports.get(1).get(60, SECONDS)).isSameAs(report);
        }
    }

    @Nested
    class GivenAnInterruptedCaller {
        @AtWorkers
        void e1_whenProcessesTakeTheirTime_thenTheyAreEndedByForceAndTheCallerStaysInterrupted(int workers)
                throws Exception {
            Scheduler scheduler = scheduler(workers).start();
            var blocking = new ProbeProcess((context, events, out) -> held.block());
            scheduler.submit(blocking, "main");
            Soon.until(() -> held.entered.get() == 1);

            var interrupted = new AtomicInteger();
            ShutdownReport report = inThread(() -> {
                        Thread.currentThread().interrupt();
                        ShutdownReport made = scheduler.shutdown(TIMEOUT);
                        interrupted.set(Thread.interrupted() ? 1 : 0);
                        return made;
                    })
                    .get(60, SECONDS);

            assertThat(report.forced()).as("%s", report).isEqualTo(1);
            assertThat(report.stuck()).as("%s", report).isEmpty();
            assertThat(report.elapsed())
                    .as("whoever interrupts has no more time")
                    .isLessThan(TIMEOUT.dividedBy(2));
            assertThat(blocking.closes).hasValue(1);
            assertThat(interrupted).as("the interrupt is kept for the caller").hasValue(1);
            SchedulerThreads.awaitNone(name);
        }

        @AtWorkers
        void e1_whenItIsInterruptedWhileItWaits_thenTheSame(int workers) throws Exception {
            Scheduler scheduler = scheduler(workers).start();
            var blocking = new ProbeProcess((context, events, out) -> held.block());
            scheduler.submit(blocking, "main");
            Soon.until(() -> held.entered.get() == 1);
            var report = new CompletableFuture<ShutdownReport>();
            var caller = new Thread(() -> report.complete(scheduler.shutdown(TIMEOUT)));
            caller.start();
            Soon.until(scheduler::isStopping);

            caller.interrupt();

            assertThat(report.get(30, SECONDS).forced()).isEqualTo(1);
            assertThat(blocking.closes).hasValue(1);
        }

        /** Its workers' threads take a while to end, so that they are alive still if nobody waits for them. */
        @AtWorkers
        void e3_whenThereIsNoProcess_thenItsThreadsAreWaitedForAllTheSame(int workers) throws Exception {
            List<String> left = List.of("not tried yet");
            for (int attempt = 0;
                    attempt < 5 && !left.isEmpty();
                    attempt++) { // a busy machine may not give them the time
                SchedulerThreads.awaitNone(name);
                left = leftAfterShutdown(workers);
            }
            assertThat(left).isEmpty();
        }

        private List<String> leftAfterShutdown(int workers) throws Exception {
            Scheduler scheduler = scheduler(workers)
                    .threads(task -> new Thread(() -> {
                        task.run();
                        if (Thread.currentThread().getName().contains("-worker-")) {
                            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30));
                        }
                    }))
                    .start();
            scheduler
                    .submit(Process.of((events, out) -> out.done()), "main")
                    .result()
                    .get(60, SECONDS);

            return inThread(() -> {
                        Thread.currentThread().interrupt();
                        scheduler.shutdown(TIMEOUT);
                        return SchedulerThreads.alive(name).stream()
                                .map(Thread::getName)
                                .filter(thread -> thread.contains("-worker-"))
                                .toList();
                    })
                    .get(60, SECONDS);
        }
    }

    @Nested
    class GivenOthersThatSubmitAndSend {
        private static final int SUBMITTERS = 3;
        private static final int ROUNDS = 10;

        /** For each submitter, so that a slow machine is not flooded. */
        private static final int SUBMISSIONS_MAX = 1_000;

        /** All that was taken is ended and accounted for, all that was refused is refused for a reason. */
        @AtWorkers
        void e1_whenItComesInBetween_thenNothingIsLostOrEndedTwice(int workers) throws Exception {
            for (int round = 0; round < ROUNDS; round++) {
                shutDownBetween(workers);
            }
        }

        private void shutDownBetween(int workers) throws Exception {
            var deadLetters = new AtomicLong();
            Scheduler scheduler = scheduler(workers)
                    .listener(new SchedulerListener() {
                        @Override
                        public void onDeadLetter(DeadLetter letter) {
                            deadLetters.incrementAndGet();
                        }
                    })
                    .start();
            Queue<Counting> started = new ConcurrentLinkedQueue<>();
            Queue<ProcessRef> refs = new ConcurrentLinkedQueue<>();
            Queue<Counting> refused = new ConcurrentLinkedQueue<>();
            var attempts = new AtomicLong();
            var warm = new CountDownLatch(SUBMITTERS * 20);
            List<CompletableFuture<Delivery>> submitters = new ArrayList<>();
            for (int i = 0; i < SUBMITTERS; i++) {
                submitters.add(inThread(() -> {
                    for (int n = 0; n < SUBMISSIONS_MAX; n++) {
                        var process = new Counting();
                        ProcessRef ref;
                        try {
                            ref = scheduler.submit(process, "main");
                        } catch (SubmissionRefusedException e) {
                            assertThat(e.reason()).isEqualTo(SubmissionRefusedException.Reason.STOPPING);
                            refused.add(process);
                            return Delivery.STOPPING;
                        }
                        started.add(process);
                        refs.add(ref);
                        for (int m = 0; m < 4; m++) {
                            attempts.incrementAndGet();
                            ref.send("count", m);
                        }
                        warm.countDown();
                    }
                    return Delivery.DELIVERED;
                }));
            }
            warm.await();

            ShutdownReport report = scheduler.shutdown(TIMEOUT);

            for (CompletableFuture<Delivery> submitter : submitters) {
                submitter.get(60, SECONDS);
            }
            assertThat(report.isGraceful()).as("%s", report).isTrue();
            assertThat(started).allSatisfy(process -> assertThat(process.closes).hasValue(1));
            assertThat(refused)
                    .allSatisfy(process -> assertThat(process.closes.get())
                            .as("closes of one that was refused: as many as inits")
                            .isEqualTo(process.inits.get()));
            assertThat(refs).allSatisfy(ref -> assertThat(ref.result()).isDone());
            long handled =
                    started.stream().mapToLong(process -> process.handled).sum();
            assertThat(handled + deadLetters.get())
                    .as("each message is handled or a dead letter")
                    .isEqualTo(attempts.get());
            SchedulerStats stats = scheduler.stats();
            assertThat(stats.deadLetters()).isEqualTo(deadLetters.get());
            assertThat(stats.submitted()).isEqualTo(started.size());
            assertThat(stats.completed()).isEqualTo(started.size());
            assertThat(stats.alive()).isZero();
            SchedulerThreads.awaitNone(name);
        }
    }

    @Nested
    class GivenASteppedScheduler {
        @AtWorkers
        void e1_whenItIsShutDown_thenProcessesMayAnswerAndTheOthersAreWaiting(int workers) {
            SteppedScheduler stepped = Scheduler.builder().workers(workers).stepped();
            var obedient = ProbeProcess.obedient();
            var deaf = ProbeProcess.deaf();
            ProcessRef ref = stepped.scheduler().submit(obedient, "main");
            stepped.scheduler().submit(deaf, "main");

            ShutdownReport report = stepped.scheduler().shutdown(Duration.ofSeconds(10));

            assertThat(ref.result()).isCompletedWithValue("cancelled");
            assertThat(report.ended()).as("%s", report).isEqualTo(1);
            assertThat(report.waiting()).as("%s", report).isEqualTo(1);
            assertThat(List.of(obedient, deaf))
                    .allSatisfy(process -> assertThat(process.closes).hasValue(1));
        }

        @Test
        @Timeout(30)
        void e1_whenAProcessNeverStopsToRun_thenItIsEndedByForce() throws Exception {
            var mayStop = new AtomicInteger();
            var restless = new ProbeProcess((context, events, out) -> {
                if (mayStop.get() == 0) {
                    out.again();
                }
            });
            SteppedScheduler stepped = Scheduler.builder().workers(1).stepped();
            stepped.scheduler().submit(restless, "main");

            try {
                var report = inThread(() -> stepped.scheduler().shutdown(Duration.ofMillis(100)));

                assertThat(report.get(10, SECONDS).forced()).isEqualTo(1);
                assertThat(restless.closes).hasValue(1);
            } finally {
                mayStop.set(1);
            }
        }
    }

    private interface Task<T> {
        T run() throws Exception;
    }

    /** Runs a task in a thread of its own, which is never one of a pool that an interrupt could harm. */
    private static <T> CompletableFuture<T> inThread(Task<T> task) {
        var result = new CompletableFuture<T>();
        var thread = new Thread(() -> {
            try {
                result.complete(task.run());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** Counts the messages it gets; waits on when asked to end. */
    private static final class Counting implements Process {
        private final AtomicInteger inits = new AtomicInteger();
        private final AtomicInteger closes = new AtomicInteger();
        private volatile long handled;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            inits.incrementAndGet();
        }

        @Override
        public void step(Events events, StepOutput out) {
            long messages = handled;
            for (Event event : events) {
                if (event instanceof Message) {
                    messages++;
                }
            }
            handled = messages;
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }
}

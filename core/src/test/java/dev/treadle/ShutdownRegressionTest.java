// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.WorkerRegressionTest.RationedThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** E1 and E3, in cases that once went wrong: a shutdown that hung, threw, or left a thread behind. */
class ShutdownRegressionTest {
    private static final Logger LOG = Logger.getLogger("dev.treadle");

    /** Long enough for any machine; a hang is for ever. */
    private static final int PATIENCE_SECONDS = 30;

    /** So long that no spare worker comes to help. */
    private static final Duration NEVER_SLOW = Duration.ofMinutes(10);

    private final String name = SchedulerThreads.newName("shutdown-regression");
    private final AtomicReference<Scheduler> scheduler = new AtomicReference<>();
    private final HeldUp step = new HeldUp();
    private final HeldUp callback = new HeldUp();

    /** What is provoked here is also logged, which helps no reader. */
    @BeforeEach
    void logNothing() {
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void release() {
        step.release();
        callback.release();
        LOG.setLevel(null);
    }

    private Scheduler start(SchedulerBuilder builder) {
        scheduler.set(builder.name(name).start());
        return scheduler.get();
    }

    /** Submits a process whose step does not return, not even when interrupted, and waits until it is in there. */
    private ProcessRef submitStuck() {
        ProcessRef ref = scheduler.get().submit(Process.of((events, out) -> step.blockDeafly()), "main");
        Soon.until(() -> step.entered.get() == 1);
        return ref;
    }

    /** Shuts down on a thread of its own, so that a shutdown that hangs does not hang the test. */
    private ShutdownReport shutdown(Duration timeout)
            throws ExecutionException, InterruptedException, TimeoutException {
        return aside(() -> scheduler.get().shutdown(timeout)).get(PATIENCE_SECONDS, SECONDS);
    }

    private static <T> CompletableFuture<T> aside(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> {
            var thread = new Thread(run);
            thread.setDaemon(true);
            thread.start();
        });
    }

    private void assertNoThreadIsLeft() {
        Soon.until(() -> SchedulerThreads.alive(name).isEmpty());
    }

    /** Listeners and dependents of results once ran on the thread that shuts down, when a worker was stuck. */
    @Nested
    class GivenAStuckStep {
        @Test
        void e1_whenTheListenerOfItsEndClosesTheScheduler_thenNeitherWaitsForTheOtherForEver() throws Exception {
            start(Scheduler.builder().workers(1).listener(new SchedulerListener() {
                @Override
                public void onComplete(ProcessExit exit) {
                    scheduler.get().close();
                }
            }));
            ProcessRef stuck = submitStuck();
            var result = stuck.result();

            ShutdownReport report = shutdown(Duration.ZERO);

            assertThat(report.stuck()).extracting(ShutdownReport.Stuck::pid).containsExactly(stuck.pid());
            Soon.until(result::isDone);
            step.release();
            assertNoThreadIsLeft();
        }

        @Test
        void e1_whenADependentOfItsResultBlocks_thenTheShutdownReturns() throws Exception {
            start(Scheduler.builder().workers(1));
            ProcessRef stuck = submitStuck();
            CompletableFuture<?> dependent = stuck.result().whenComplete((result, error) -> callback.blockDeafly());

            ShutdownReport report = shutdown(Duration.ZERO);

            assertThat(report.stuck()).isNotEmpty();
            assertThat(dependent).as("it still blocks").isNotDone();
            Soon.until(() -> callback.entered.get() == 1);
        }

        @Test
        void e1_whenTheThreadFactoryFails_thenTheRestIsEndedAllTheSame() throws Exception {
            var threads = new RationedThreads();
            start(Scheduler.builder().workers(1).slowStepLimit(NEVER_SLOW).threads(threads));
            var results = List.of(
                    submitStuck().result(),
                    scheduler.get().submit(ProbeProcess.deaf(), "main").result());
            threads.refuse();

            ShutdownReport report = shutdown(Duration.ZERO);

            assertThat(threads.refusals).as("there is something to test").hasPositiveValue();
            assertThat(report.forced()).as("%s", report).isEqualTo(2);
            Soon.until(() -> results.stream().allMatch(CompletableFuture::isDone));
        }

        /** Each of the others is told of, though the first one's listener takes until after the shutdown. */
        @Test
        void e1_whenTheListenerOfAnEndBlocksForAWhile_thenTheOthersAreToldInTheEnd() throws Exception {
            start(Scheduler.builder().workers(1).slowStepLimit(NEVER_SLOW).listener(new SchedulerListener() {
                @Override
                public void onComplete(ProcessExit exit) {
                    callback.blockDeafly();
                }
            }));
            submitStuck();
            var results = List.of(
                    scheduler.get().submit(ProbeProcess.deaf(), "main").result(),
                    scheduler.get().submit(ProbeProcess.deaf(), "main").result(),
                    scheduler.get().submit(ProbeProcess.deaf(), "main").result());

            shutdown(Duration.ZERO);
            callback.release();

            Soon.until(() -> results.stream().allMatch(CompletableFuture::isDone));
        }
    }

    /** Only turns that had begun before the force were once interrupted. */
    @Nested
    class GivenUserCodeThatBlocksUntilInterrupted {
        @AtWorkers
        void e1_whenItIsACloseThatTheShutdownCauses_thenItIsInterrupted(int workers) throws Exception {
            start(Scheduler.builder().workers(workers));
            var process = new ProbeProcess((context, events, out) -> {}, callback::block);
            ProcessRef ref = scheduler.get().submit(process, "main");
            Soon.reaches(ref, ProcessInfo.State.IDLE);

            shutdown(Duration.ZERO);

            Soon.until(() -> callback.interrupted.get() == 1);
            assertNoThreadIsLeft();
        }

        /** The process itself has ended, so the shutdown waits for none. */
        @AtWorkers
        void e3_whenItIsADependentOfAResult_thenItIsInterrupted(int workers) throws Exception {
            start(Scheduler.builder().workers(workers));
            ProcessRef ref = scheduler
                    .get()
                    .submit(
                            Process.of((events, out) -> {
                                if (!events.isEmpty()) {
                                    out.done();
                                }
                            }),
                            "main");
            CompletableFuture<?> dependent = ref.result().thenRun(() -> {
                try {
                    callback.block();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            ref.send("end", null);
            Soon.until(() -> callback.entered.get() == 1);

            shutdown(Duration.ofSeconds(1));

            Soon.until(() -> callback.interrupted.get() == 1);
            assertThat(dependent).succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));
            assertNoThreadIsLeft();
        }
    }

    /** The watchdog went on with what it had begun, and started a spare worker that nobody ended. */
    @Test
    void e3_whenAListenerOfASlowStepShutsDown_thenNoThreadIsLeft() throws Exception {
        var report = new CompletableFuture<ShutdownReport>();
        start(Scheduler.builder()
                .workers(1)
                .slowStepLimit(Duration.ofMillis(20))
                .listener(new SchedulerListener() {
                    @Override
                    public void onSlowStep(SlowStep slow) {
                        var closer =
                                new Thread(() -> report.complete(scheduler.get().shutdown(Duration.ZERO)));
                        closer.start();
                        Soon.get(report); // holds the watchdog up until after the shutdown
                    }
                }));
        scheduler.get().submit(Process.of((events, out) -> step.block()), "main");

        report.get(PATIENCE_SECONDS, SECONDS);

        assertThat(step.interrupted).hasValue(1);
        assertNoThreadIsLeft();
    }

    /** The worker went on with the commands of a process that the shutdown had given up. */
    @Test
    void e3_whenAHandlerReturnsAfterTheShutdown_thenTheNextOneIsNotCalled() throws Exception {
        record First() implements Command {}
        record Second() implements Command {}
        var secondCalls = new AtomicInteger();
        var registry = new CommandRegistry()
                .register(First.class, (first, receiver) -> step.blockDeafly())
                .register(Second.class, (second, receiver) -> secondCalls.incrementAndGet());
        start(Scheduler.builder().workers(1).handlers(registry));
        scheduler
                .get()
                .submit(
                        Process.of((events, out) -> {
                            out.yield(new First(), 1);
                            out.yield(new Second(), 2);
                        }),
                        "main");
        Soon.until(() -> step.entered.get() == 1);

        shutdown(Duration.ZERO);
        step.release();
        assertNoThreadIsLeft();

        assertThat(secondCalls).hasValue(0);
    }

    /**
     * An interrupted caller did not wait for the threads. Here a worker's thread ends when it sees that it is waited for,
     * and not before.
     */
    @AtWorkers
    void e3_whenTheCallerIsInterrupted_thenItWaitsForTheWorkersAllTheSame(int workers) throws Exception {
        List<String> left = List.of("not tried yet");
        for (int attempt = 0; attempt < 5 && !left.isEmpty(); attempt++) { // a busy machine may not give them the time
            SchedulerThreads.awaitNone(name);
            left = leftAfterShutdown(workers);
        }
        assertThat(left).isEmpty();
    }

    private List<String> leftAfterShutdown(int workers) throws Exception {
        var caller = new AtomicReference<Thread>();
        var mayEnd = new AtomicBoolean();
        start(Scheduler.builder().workers(workers).threads(task -> {
            var thread = new Thread(() -> {
                task.run();
                while (!mayEnd.get() && caller.get().getState() != Thread.State.TIMED_WAITING) {
                    LockSupport.parkNanos(100_000);
                }
            });
            thread.setDaemon(true);
            return thread;
        }));

        try {
            return aside(() -> {
                        caller.set(Thread.currentThread());
                        Thread.currentThread().interrupt();
                        scheduler.get().shutdown(Duration.ofSeconds(1));
                        assertThat(Thread.interrupted())
                                .as("the interrupt is kept for the caller")
                                .isTrue();
                        return SchedulerThreads.alive(name).stream()
                                .map(Thread::getName)
                                .filter(thread -> thread.contains("-worker-"))
                                .toList();
                    })
                    .get(PATIENCE_SECONDS, SECONDS);
        } finally {
            mayEnd.set(true);
        }
    }

    /** Run by hand, a scheduler waited for its processes for ever. */
    @Nested
    class GivenASteppedScheduler {
        private final AtomicBoolean mayStop = new AtomicBoolean();

        @AfterEach
        void stop() {
            mayStop.set(true);
        }

        private void assertThatCloseEnds(SteppedScheduler stepped, ProbeProcess... restless) throws Exception {
            aside(() -> {
                        stepped.close();
                        return "closed";
                    })
                    .get(PATIENCE_SECONDS, SECONDS);
            assertThat(restless)
                    .allSatisfy(process -> assertThat(process.closes).hasValue(1));
        }

        @AtWorkers
        void e1_whenAProcessSaysAgainForEver_thenCloseEndsItByForce(int workers) throws Exception {
            SteppedScheduler stepped = Scheduler.builder().workers(workers).stepped();
            var restless = new ProbeProcess((context, events, out) -> {
                if (!mayStop.get()) {
                    out.again();
                }
            });
            stepped.scheduler().submit(restless, "main");

            assertThatCloseEnds(stepped, restless);
        }

        @AtWorkers
        void e1_whenTwoProcessesWakeEachOtherForEver_thenCloseEndsThemByForce(int workers) throws Exception {
            SteppedScheduler stepped = Scheduler.builder().workers(workers).stepped();
            var answering = new ProbeProcess(this::answer);
            ProcessRef partner = stepped.scheduler().submit(answering, "main");
            var serving = new ProbeProcess((context, events, out) -> {
                if (events.isEmpty()) {
                    context.send(partner.pid(), "ball", null);
                }
                answer(context, events, out);
            });
            stepped.scheduler().submit(serving, "main");
            while (answering.steps.get() < 3) {
                stepped.runOne(0);
            }

            assertThatCloseEnds(stepped, answering, serving);
        }

        private void answer(ProcessContext context, Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message ball && !mayStop.get()) {
                    context.send(ball.sender(), "ball", null);
                }
            }
        }
    }
}

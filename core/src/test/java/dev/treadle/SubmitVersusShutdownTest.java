// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.treadle.SubmissionRefusedException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Contract lines P7 and E1: each submit that races a shutdown is either run to a reported end, or refused; nothing in
 * between.
 *
 * <p>Goal: a thousand start/stop cycles with submits racing the shutdown; for each submit either the listener heard its
 * end once and close was called once, or it threw and close was called if and only if init was. Method: threads submit
 * without a pause, processes of several tempers, until they are refused; another shuts down after a random moment. Catches:
 * a process that is added after the shutdown has looked, one that is closed twice or by nobody, an end that is told twice.
 */
class SubmitVersusShutdownTest {
    private static final int CYCLES = 1_000;
    private static final int SUBMITTERS = 2;

    /** A submitter that is never refused, because the machine is busy, gives up here. */
    private static final int SUBMITS_MAX = 500;

    private static final int[] WORKERS = {1, 2, 8};

    @Test
    void p7_e1_whenSubmitsRaceAShutdown_thenEachRunsToAReportedEndOrIsRefused() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(SUBMITTERS);
        long seed = System.nanoTime();
        int refusedInAll = 0;
        int acceptedInAll = 0;
        try {
            for (int cycle = 0; cycle < CYCLES; cycle++) {
                var random = new SplittableRandom(seed + cycle);
                var round = new Round(WORKERS[cycle % WORKERS.length]);
                try {
                    round.run(threads, random);
                } catch (Throwable thrown) {
                    throw new AssertionError("cycle " + cycle + ", seed " + (seed + cycle), thrown);
                }
                refusedInAll += round.refused;
                acceptedInAll += round.accepted;
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(refusedInAll).as("submits that were refused").isPositive();
        assertThat(acceptedInAll).as("submits that were accepted").isPositive();
    }

    private record Attempt(TrackedProcess process, ProcessRef ref) {}

    /** One scheduler, from start to stop. */
    private static final class Round {
        private final Map<Pid, Integer> ends = new ConcurrentHashMap<>();
        private final int workers;
        private int accepted;
        private int refused;

        Round(int workers) {
            this.workers = workers;
        }

        void run(ExecutorService threads, SplittableRandom random) throws Exception {
            var listener = new SchedulerListener() {
                @Override
                public void onComplete(ProcessExit exit) {
                    ends.merge(exit.pid(), 1, Integer::sum);
                }
            };
            Scheduler scheduler =
                    Scheduler.builder().workers(workers).listener(listener).start();
            var start = new CyclicBarrier(SUBMITTERS + 1);
            var submitters = new ArrayList<Future<List<Attempt>>>();
            for (int i = 0; i < SUBMITTERS; i++) {
                SplittableRandom own = random.split();
                submitters.add(threads.submit(() -> submitUntilRefused(scheduler, start, own)));
            }
            start.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            for (int spins = random.nextInt(3_000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            scheduler.shutdown(random.nextInt(4) == 0 ? Duration.ZERO : LIMIT);
            for (Future<List<Attempt>> submitter : submitters) {
                submitter.get(LIMIT.toSeconds(), TimeUnit.SECONDS).forEach(this::check);
            }
            assertThat(ends).as("ends that were told, of those accepted").hasSize(accepted);
            assertThat(scheduler.stats().alive()).isZero();
        }

        private void check(Attempt attempt) {
            TrackedProcess process = attempt.process();
            if (attempt.ref() != null) {
                accepted++;
                process.assertClosedOnce();
                assertThat(ends.get(attempt.ref().pid())).as("its end was told").isEqualTo(1);
                assertThat(attempt.ref().result()).isDone();
            } else if (process.inits.get() == 0) {
                refused++;
                process.assertNeverCalled();
            } else {
                refused++;
                process.assertClosedOnce();
                assertThat(process.steps)
                        .as("steps of a process that was refused")
                        .hasValue(0);
                assertThat(ends).doesNotContainKey(process.context().self());
            }
        }
    }

    private static List<Attempt> submitUntilRefused(Scheduler scheduler, CyclicBarrier start, SplittableRandom random)
            throws Exception {
        var attempts = new ArrayList<Attempt>();
        start.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
        boolean stopping = false;
        while (!stopping && attempts.size() < SUBMITS_MAX) {
            TrackedProcess process = anyTemper(random);
            try {
                attempts.add(new Attempt(process, scheduler.submit(process, "main")));
            } catch (SubmissionRefusedException e) {
                assertThat(e.reason()).isEqualTo(Reason.STOPPING);
                attempts.add(new Attempt(process, null));
                stopping = true;
            }
        }
        return attempts;
    }

    /** One that is done at once, ends when asked to, does not listen, or never comes to rest. */
    private static TrackedProcess anyTemper(SplittableRandom random) {
        StepFunction step = switch (random.nextInt(4)) {
            case 0 -> (events, out) -> out.done();
            case 1 ->
                (events, out) -> {
                    if (!events.isEmpty()) {
                        out.done();
                    }
                };
            case 2 -> (events, out) -> out.await();
            default ->
                (events, out) -> {
                    if (events.isEmpty()) {
                        out.again();
                    } else {
                        out.done();
                    }
                };
        };
        return new TrackedProcess(step);
    }

    /** P7: init is still running when the shutdown gives up: the submit is refused, close runs once, nobody hears. */
    @AtWorkers
    void p7_e1_whenInitOutlastsTheShutdown_thenTheSubmitIsRefusedAndClosed(int workers) throws Exception {
        var listener = new RecordingListener();
        Scheduler scheduler =
                Scheduler.builder().workers(workers).listener(listener).start();
        var inInit = new CountDownLatch(1);
        var shutDown = new CountDownLatch(1);
        var process = TrackedProcess.idle().onInit((context, method, input) -> {
            inInit.countDown();
            if (!shutDown.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                fail("the shutdown waits for an init");
            }
        });
        var submitter = Executors.newSingleThreadExecutor();
        try {
            Future<ProcessRef> submit = submitter.submit(() -> scheduler.submit(process, "main"));
            inInit.await();
            scheduler.shutdown(Duration.ofMillis(1));
            assertThat(process.closes).as("not while init still runs").hasValue(0);
            shutDown.countDown();

            assertThatThrownBy(() -> submit.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            SubmissionRefusedException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.STOPPING));
        } finally {
            submitter.shutdown();
        }
        process.assertClosedOnce();
        assertThat(process.steps).hasValue(0);
        assertThat(listener.exits).isEmpty();
        assertThat(scheduler.stats().alive()).isZero();
    }

    /** P7: init ends while the shutdown still waits: the process starts, is asked to end at once, and does. */
    @AtWorkers
    void p7_e1_whenInitEndsDuringTheShutdown_thenTheProcessIsAskedToEnd(int workers) throws Exception {
        var listener = new RecordingListener();
        Scheduler scheduler =
                Scheduler.builder().workers(workers).listener(listener).start();
        var inInit = new CountDownLatch(1);
        var process = new TrackedProcess((events, out) -> out.done(events.toString()));
        process.onInit((context, method, input) -> {
            inInit.countDown();
            while (!scheduler.isStopping()) {
                Thread.onSpinWait();
            }
        });
        var submitter = Executors.newSingleThreadExecutor();
        try {
            Future<ProcessRef> submit = submitter.submit(() -> scheduler.submit(process, "main"));
            inInit.await();
            ShutdownReport report = scheduler.shutdown(LIMIT);

            assertThat(report.forced()).isZero();
            assertThat(submit.get(LIMIT.toSeconds(), TimeUnit.SECONDS).result())
                    .succeedsWithin(LIMIT)
                    .asString()
                    .contains("Signal[CANCEL, ");
        } finally {
            submitter.shutdown();
        }
        process.assertClosedOnce();
        assertThat(listener.exits).extracting(ProcessExit::kind).containsExactly(ProcessExit.Kind.DONE);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * S7: {@code maxProcesses} is exact under any race, and a PID names one process only.
 *
 * <p>Catches: a limit that is tested and then taken, a place that is not given back, or given back twice, a look for a
 * duplicate outside of the lock.
 */
class LimitsTest {
    private static final int LIMIT = 10;
    private static final int THREADS = 200;
    private static final long PATIENCE_SECONDS = 60;

    private final AtomicInteger alive = new AtomicInteger();
    private final AtomicInteger aliveMost = new AtomicInteger();

    /** Runs the action on so many threads that start together, and waits for all. */
    private static void race(int threads, IntConsumer action) throws InterruptedException {
        var start = new CyclicBarrier(threads);
        List<Thread> racers = new ArrayList<>();
        var ended = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            int index = i;
            var racer = new Thread(() -> {
                try {
                    start.await(PATIENCE_SECONDS, SECONDS);
                    action.accept(index);
                    ended.countDown();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            racers.add(racer);
            racer.start();
        }
        for (Thread racer : racers) {
            racer.join();
        }
        assertThat(ended.getCount()).as("threads that failed").isZero();
    }

    private static SubmissionRefusedException.Reason refusal(Runnable submit) {
        Throwable thrown = catchThrowable(submit::run);
        return thrown instanceof SubmissionRefusedException refused ? refused.reason() : null;
    }

    @Nested
    class S7MaxProcesses {
        @AtWorkers
        void when200ThreadsSubmitAtALimitOf10_thenExactly10AreAccepted(int workers) throws InterruptedException {
            try (Scheduler scheduler =
                    Scheduler.builder().workers(workers).maxProcesses(LIMIT).start()) {
                for (int round = 0; round < 10; round++) {
                    Set<ProcessRef> accepted = ConcurrentHashMap.newKeySet();
                    var refused = new AtomicInteger();
                    race(THREADS, i -> {
                        try {
                            accepted.add(scheduler.submit(new Counted(false), "main"));
                        } catch (SubmissionRefusedException e) {
                            assertThat(e.reason()).isEqualTo(SubmissionRefusedException.Reason.TOO_MANY_PROCESSES);
                            refused.incrementAndGet();
                        }
                    });
                    assertThat(accepted).as("accepted in round %d", round).hasSize(LIMIT);
                    assertThat(refused.get()).as("refused").isEqualTo(THREADS - LIMIT);
                    assertThat(scheduler.stats().alive()).isEqualTo(LIMIT);
                    for (ProcessRef process : accepted) {
                        process.send("end", null);
                        assertThat(process.result()).succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));
                    }
                }
            }
        }

        @AtWorkers
        void when200ThreadsTryUntilAccepted_thenAllGetInAndNeverMoreThan10AreAlive(int workers)
                throws InterruptedException {
            try (Scheduler scheduler =
                    Scheduler.builder().workers(workers).maxProcesses(LIMIT).start()) {
                race(THREADS, i -> {
                    while (refusal(() -> scheduler.submit(new Counted(true), "main")) != null) {
                        Thread.yield();
                    }
                });
                assertThat(scheduler.stats().submitted()).isEqualTo(THREADS);
                assertThat(aliveMost.get()).as("alive at a time, at the most").isBetween(1, LIMIT);
            }
        }

        @AtWorkers
        void whenOneOf10Ends_thenOneMoreIsAcceptedAndNotTwo(int workers) {
            try (Scheduler scheduler =
                    Scheduler.builder().workers(workers).maxProcesses(LIMIT).start()) {
                List<ProcessRef> processes = new ArrayList<>();
                for (int i = 0; i < LIMIT; i++) {
                    processes.add(scheduler.submit(new Counted(false), "main"));
                }
                for (ProcessRef process : processes) {
                    process.send("end", null);
                    assertThat(process.result()).succeedsWithin(Duration.ofSeconds(PATIENCE_SECONDS));

                    scheduler.submit(new Counted(false), "main");
                    assertThat(refusal(() -> scheduler.submit(new Counted(false), "main")))
                            .isEqualTo(SubmissionRefusedException.Reason.TOO_MANY_PROCESSES);
                }
            }
        }

        /** The same closer up: threads take and give back places all the time. */
        @Test
        void whenThreadsTakeAndGiveBackTheOnlyPlace_thenNeverTwoHaveIt() throws InterruptedException {
            var table = new ProcessTable(1);
            var taken = new AtomicInteger();
            race(4, i -> {
                for (int round = 0; round < 200_000; round++) {
                    if (table.reserve()) {
                        taken.incrementAndGet();
                        int now = alive.incrementAndGet();
                        aliveMost.accumulateAndGet(now, Math::max);
                        alive.decrementAndGet();
                        table.unreserve();
                    }
                }
            });
            assertThat(taken.get()).as("taken").isPositive();
            assertThat(aliveMost.get()).as("at a time, at the most").isEqualTo(1);
            assertThat(table.reserve()).as("in the end it is free").isTrue();
            assertThat(table.reserve()).as("and it is still the only one").isFalse();
        }

        @Test
        void whenProcessesSpawnOthers_thenTheSameLimitHolds() {
            try (SteppedScheduler stepped =
                    Scheduler.builder().workers(1).maxProcesses(LIMIT).stepped()) {
                var spawned = new AtomicInteger();
                stepped.scheduler().submit(new Spawner(spawned), "main");
                stepped.runAll();

                assertThat(spawned.get()).as("beside the one that spawns").isEqualTo(LIMIT - 1);
            }
        }

        @Test
        void whenASubmissionFails_thenItsPlaceIsFreeAgain() {
            var refusing = new SchedulerListener() {
                @Override
                public void onStart(ProcessInfo process) {
                    if (process.method().equals("refused")) {
                        throw new IllegalStateException("refused by the listener");
                    }
                }
            };
            try (SteppedScheduler stepped = Scheduler.builder()
                    .workers(1)
                    .maxProcesses(1)
                    .listener(refusing)
                    .stepped()) {
                Scheduler scheduler = stepped.scheduler();
                for (int i = 0; i < 3; i++) {
                    assertThatExceptionOfType(SubmissionRefusedException.class)
                            .isThrownBy(() -> scheduler.submit(new Counted(false), "refused"));
                    assertThatExceptionOfType(UnsupportedOperationException.class)
                            .isThrownBy(() -> scheduler.submit(new FailingInit(), "main"));
                }
                scheduler.submit(new Counted(false), "main");
                assertThat(refusal(() -> scheduler.submit(new Counted(false), "main")))
                        .isEqualTo(SubmissionRefusedException.Reason.TOO_MANY_PROCESSES);
            }
        }

        @Test
        void whenRefused_thenTheMessageTellsTheLimitAndWhatToDo() {
            try (SteppedScheduler stepped =
                    Scheduler.builder().name("small").maxProcesses(1).stepped()) {
                stepped.scheduler().submit(new Counted(false), "main");
                assertThatExceptionOfType(SubmissionRefusedException.class)
                        .isThrownBy(() -> stepped.scheduler().submit(new Counted(false), "main"))
                        .withMessageContainingAll("\"small\"", "1 processes", "maxProcesses", "raise it");
            }
        }
    }

    @Nested
    class S7Pids {
        @Test
        void whenAnIdIsTaken_thenASecondProcessWithItIsRefusedAndNeverInitialised() {
            long id = Submission.CHOSEN_ID_MIN + 7;
            try (SteppedScheduler stepped =
                    Scheduler.builder().workers(1).maxProcesses(2).stepped()) {
                Scheduler scheduler = stepped.scheduler();
                ProcessRef first = scheduler.submit(
                        Submission.of(new Counted(false), "main").id(id));

                assertThat(refusal(() -> scheduler.submit(
                                Submission.of(new Counted(false), "main").id(id))))
                        .isEqualTo(SubmissionRefusedException.Reason.DUPLICATE_PID);

                assertThat(alive.get()).as("initialised and not closed").isEqualTo(1);
                assertThat(first.inspect()).as("the first is still there").isPresent();
                assertThat(refusal(() -> scheduler.submit(new Counted(false), "main")))
                        .as("the refused one took no place")
                        .isNull();
            }
        }

        @AtWorkers
        void whenManySubmitTheSameIdAtOnce_thenOneIsAccepted(int workers) throws InterruptedException {
            int ids = 50;
            int threads = 8;
            try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
                var accepted = new ConcurrentHashMap<Long, Integer>();
                race(
                        threads,
                        i -> LongStream.range(0, ids).forEach(n -> {
                            long id = Submission.CHOSEN_ID_MIN + n;
                            var submission =
                                    Submission.of(new Counted(false), "main").id(id);
                            if (refusal(() -> scheduler.submit(submission)) == null) {
                                accepted.merge(id, 1, Integer::sum);
                            }
                        }));
                assertThat(accepted).as("accepted by id").hasSize(ids);
                assertThat(accepted.values()).as("how often each").containsOnly(1);
            }
        }

        @AtWorkers
        void whenManyStartAndEndOnAllSides_thenNoIdIsGivenTwice(int workers) throws InterruptedException {
            int threads = 8;
            int parents = 50;
            int children = 10;
            Set<Pid> pids = ConcurrentHashMap.newKeySet();
            var given = new AtomicInteger();
            try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
                var ended = new CountDownLatch(threads * parents * (1 + children));
                race(threads, i -> {
                    for (int parent = 0; parent < parents; parent++) {
                        scheduler.submit(new Recorded(pids, given, ended, children), "main");
                    }
                });
                assertThat(ended.await(PATIENCE_SECONDS, SECONDS))
                        .as("all have ended")
                        .isTrue();
                assertThat(pids).as("different ones").hasSize(given.get());
                assertThat(given.get()).isEqualTo(threads * parents * (1 + children));
                assertThat(pids).allMatch(pid -> pid.id() < Submission.CHOSEN_ID_MIN);
            }
        }
    }

    /** Counts itself while it is alive: from init, which comes after its place is taken, to close, before it is free. */
    private final class Counted implements Process {
        private final boolean endsAtOnce;

        Counted(boolean endsAtOnce) {
            this.endsAtOnce = endsAtOnce;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            int now = alive.incrementAndGet();
            aliveMost.accumulateAndGet(now, Math::max);
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (endsAtOnce || !events.isEmpty()) {
                out.done();
            }
        }

        @Override
        public void close() {
            alive.decrementAndGet();
        }
    }

    private static final class FailingInit implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            throw new UnsupportedOperationException("no such method");
        }

        @Override
        public void step(Events events, StepOutput out) {}
    }

    /** Spawns until it is refused. */
    private final class Spawner implements Process {
        private final AtomicInteger spawned;
        private ProcessContext context;

        Spawner(AtomicInteger spawned) {
            this.spawned = spawned;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (!events.isEmpty()) {
                return;
            }
            while (refusal(() -> context.spawn(new Counted(false), "main")) == null) {
                spawned.incrementAndGet();
            }
        }
    }

    /** Writes its pid down, spawns some like it, and ends. */
    private static final class Recorded implements Process {
        private final Set<Pid> pids;
        private final AtomicInteger given;
        private final CountDownLatch ended;
        private final int children;
        private ProcessContext context;

        Recorded(Set<Pid> pids, AtomicInteger given, CountDownLatch ended, int children) {
            this.pids = pids;
            this.given = given;
            this.ended = ended;
            this.children = children;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            pids.add(context.self());
            given.incrementAndGet();
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (int i = 0; i < children; i++) {
                context.spawn(new Recorded(pids, given, ended, 0), "main");
            }
            out.done();
        }

        @Override
        public void close() {
            ended.countDown();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.ProcessInfo.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * V2. Goal: what is seen of processes while everything runs is never torn, and no look at them throws. Method: a hundred
 * thousand processes are spawned, send messages to each other, yield, crash and end at random, from a seed, while one
 * thread lists all, inspects each by its address, and takes the stats; each thing seen has to make sense in itself, and
 * when all is quiet the figures have to meet the truth. Catches: an info that is put together from before and after the
 * end of its process (no parent), a count that is lowered before it is raised, a list that loses cells when it grows.
 */
class InspectUnderLoadTest {
    private static final long SEED = Long.getLong("inspect.seed", 20_240_607L);
    private static final int PROCESSES = 100_000;
    private static final int MAILBOX = 1_000;
    private static final String ROOT = "root";
    private static final String CHILD = "child";

    private final AtomicReferenceArray<Pid> pids = new AtomicReferenceArray<>(PROCESSES);
    private final AtomicInteger started = new AtomicInteger();
    private final LongAdder done = new LongAdder();
    private final LongAdder crashed = new LongAdder();
    private final LongAdder closed = new LongAdder();
    private final List<String> problems = Collections.synchronizedList(new ArrayList<>());

    /** Answered on the spot if the number is even, else by another thread. */
    private record Ask(int number) implements Command {}

    @AtWorkers
    void v2_whenAHundredThousandLiveAndCrash_thenWhatIsSeenIsWhole(int workers) throws Exception {
        Scheduler scheduler = start(workers);
        var watching = new Watching(scheduler, workers);
        var watcher = new Thread(watching);
        watcher.start();
        try {
            for (int i = 0; i < PROCESSES / 2; i++) {
                scheduler.submit(new Member(), ROOT).send("ball", 4);
            }
            Soon.until(() -> started.get() == PROCESSES && isQuiet(scheduler));
        } finally {
            watching.stopped = true;
            watcher.join();
        }

        assertThat(problems).as("seed %d", SEED).isEmpty();
        assertThat(watching.listings).as("times that all were listed").isPositive();
        assertThat(watching.seen).as("infos that were looked at").isGreaterThan(10_000);
        assertMeetsTheTruth(scheduler);
        scheduler.shutdown(Duration.ofSeconds(60));
        assertThat(closed.sum()).isEqualTo(PROCESSES);
    }

    private Scheduler start(int workers) {
        var registry = new CommandRegistry().register(Ask.class, (ask, receiver) -> {
            if (ask.number() % 2 == 0) {
                receiver.complete(ask.number());
            } else {
                ForkJoinPool.commonPool().execute(() -> receiver.complete(ask.number()));
            }
        });
        return Scheduler.builder()
                .workers(workers)
                .seed(SEED)
                .handlers(registry)
                .mailboxCapacity(MAILBOX)
                .listener(new SchedulerListener() {
                    @Override
                    public void onComplete(ProcessExit exit) {
                        switch (exit.kind()) {
                            case DONE -> done.increment();
                            case FAILED -> crashed.increment();
                            case TERMINATED -> {} // by the shutdown
                        }
                    }
                })
                .start();
    }

    /** Whether nothing moves or will: there was no step while all were found idle, with no answer to come. */
    private static boolean isQuiet(Scheduler scheduler) {
        long steps = scheduler.stats().total().steps();
        return scheduler.processes().allMatch(info -> info.state() == State.IDLE && info.yieldsInFlight() == 0)
                && scheduler.group.isQuiet()
                && scheduler.stats().total().steps() == steps;
    }

    private void assertMeetsTheTruth(Scheduler scheduler) {
        long ended = done.sum() + crashed.sum();
        assertThat(done.sum()).as("some are done").isPositive();
        assertThat(crashed.sum()).as("some crash").isPositive();
        SchedulerStats stats = scheduler.stats();
        assertThat(stats.submitted()).isEqualTo(PROCESSES);
        assertThat(stats.completed()).isEqualTo(ended);
        assertThat(stats.alive()).isEqualTo(PROCESSES - ended);
        assertThat(stats.processes()).containsOnlyKeys(State.IDLE);
        assertThat(scheduler.processes()).hasSize((int) (PROCESSES - ended));
        assertThat(closed.sum()).isEqualTo(ended);
        assertThat(scheduler.processes()).allSatisfy(info -> {
            assertThat(info.queueLength()).isZero();
            assertThat(info.yieldsInFlight()).isZero();
        });
    }

    /** Lists and inspects all, again and again. */
    private final class Watching implements Runnable {
        private final Scheduler scheduler;
        private final int workersMax;
        private volatile boolean stopped;
        private volatile long listings;
        private volatile long seen;

        Watching(Scheduler scheduler, int workers) {
            this.scheduler = scheduler;
            this.workersMax = workers + WorkerGroup.SPARES_MAX;
        }

        @Override
        public void run() {
            long listings = 0;
            long seen = 0;
            try {
                while (!stopped) {
                    for (ProcessInfo info : (Iterable<ProcessInfo>) scheduler.processes()::iterator) {
                        check(info);
                        seen++;
                        if (seen % 16 == 0) {
                            Optional<ProcessInfo> again =
                                    scheduler.inspect(Pid.parse(info.pid().toString()));
                            again.ifPresent(later -> checkLater(info, later));
                        }
                    }
                    check(scheduler.stats());
                    listings++;
                }
            } catch (Throwable thrown) {
                problems.add("a look threw " + thrown);
            }
            this.listings = listings;
            this.seen = seen;
        }

        private void check(ProcessInfo info) {
            boolean isChild = info.method().equals(CHILD);
            boolean whole = info.steps() >= 0
                    && info.queueLength() >= 0
                    && info.queueLength() <= MAILBOX
                    && info.yieldsInFlight() >= 0
                    && !info.age().isNegative()
                    && info.worker() >= -1
                    && info.worker() < workersMax
                    && info.state() != State.COMPLETE
                    && info.type().equals(Member.class.getTypeName())
                    && (isChild || info.method().equals(ROOT))
                    && (info.parent() != null) == isChild
                    && Pid.parse(info.pid().toString()).equals(info.pid())
                    && (info.state() != State.RUNNING || info.worker() >= 0)
                    && (info.state() == State.READY || info.state() == State.RUNNING || info.steps() > 0)
                    && (info.steps() == 0 || info.worker() >= 0);
            if (!whole) {
                problems.add(info.toString());
            }
        }

        private void checkLater(ProcessInfo before, ProcessInfo later) {
            check(later);
            boolean forward = later.steps() >= before.steps()
                    && later.age().compareTo(before.age()) >= 0
                    && later.pid().equals(before.pid());
            if (!forward) {
                problems.add(before + " and then " + later);
            }
        }

        private void check(SchedulerStats stats) {
            WorkerStats total = stats.total();
            boolean whole = stats.processes().values().stream().allMatch(count -> count > 0)
                    && stats.alive() <= PROCESSES
                    && stats.globalQueueLength() >= 0
                    && total.queueLength() >= 0
                    && total.stealsWon() <= total.stealsTried()
                    && stats.deadLetters() >= 0
                    && stats.readyDelay().count() >= 0;
            if (!whole) {
                problems.add(stats.toString());
            }
        }
    }

    /** A root has one child. Each passes on the balls that it gets, and does something else now and then. */
    private final class Member implements Process {
        private ProcessContext context;
        private boolean begun;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (!begun) {
                begin();
            }
            out.idle();
            for (Event event : events) {
                if (event instanceof Message message) {
                    pass(message.payload(Integer.class), out);
                }
            }
        }

        private void begin() {
            begun = true;
            pids.set(started.getAndIncrement(), context.self());
            if (context.method().equals(ROOT)) {
                context.spawn(new Member(), CHILD).send("ball", 2);
            }
        }

        private void pass(int ball, StepOutput out) {
            int chance = context.random().nextInt(100);
            if (chance < 2) {
                throw new IllegalStateException("crashed at random");
            } else if (chance < 4) {
                out.done();
            } else if (chance < 6) {
                out.yield(new Ask(chance), ball);
            }
            if (ball > 0) {
                Pid next = pids.get(context.random().nextInt(started.get()));
                if (next != null) {
                    context.send(next, "ball", ball - 1);
                }
            }
        }

        @Override
        public void close() {
            closed.increment();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

import dev.treadle.Pid;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.SchedulerStats;
import dev.treadle.ShutdownReport;
import dev.treadle.Submission;
import dev.treadle.SubmissionRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One life of a scheduler: started, fed for a while, stopped in one of three ways, and then its books are looked at. */
final class Round {
    /** How a round ends. */
    enum End {
        /** All processes end by themselves, then it is shut down. Whoever does not has lost something. */
        RUN_OUT,
        /** It is shut down in the midst of it, with time. */
        ASKED,
        /** It is shut down in the midst of it, with no time. */
        FORCED
    }

    private static final int ACTIONS_MAX = 40;
    private static final int SMALL_MAILBOX = 8;
    private static final Duration DEADLINE = Duration.ofMillis(5);
    private static final Duration SLOW_STEP = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration ASK_TIMEOUT = Duration.ofMillis(500);
    private static final long PAUSE_NANOS = 200_000;
    private static final int ASKS_MAX = 1_000;

    final Ledger ledger;
    final Directory directory = new Directory();
    final End end;
    final int workers;
    private final int number;
    private final SplittableRandom random;
    private final int aliveMax;
    private final Scheduler scheduler;
    private final Thread feeder = Thread.currentThread();
    private final List<CompletableFuture<?>> asks = new ArrayList<>();
    private boolean gaveUp;

    private Round(int number, long seed, @Nullable Integer workers, Ledger ledger, ScheduledExecutorService later) {
        this.number = number;
        this.ledger = ledger;
        this.random = new SplittableRandom(seed + number).split(); // seeds side by side would give much the same
        int[] usual = {1, 2, 2, 3, 8};
        this.workers = workers == null ? usual[random.nextInt(usual.length)] : workers;
        this.end = End.values()[Math.max(0, random.nextInt(5) - 2)];
        this.aliveMax = 10 << random.nextInt(end == End.FORCED ? 5 : 8);
        this.scheduler = Scheduler.builder()
                .name("soak-" + number)
                .workers(this.workers)
                .seed(random.nextLong())
                .slowStepLimit(SLOW_STEP)
                .eventBudget(1 << random.nextInt(7))
                .maxProcesses(random.nextBoolean() ? 0 : aliveMax)
                .handlers(new ErrandHandlers(ledger, later).registry())
                .listener(ledger)
                .start();
    }

    /** Starts a round. What it does depends on the seed and its number alone. */
    static Round start(
            int number, long seed, @Nullable Integer workers, Ledger ledger, ScheduledExecutorService later) {
        return new Round(number, seed, workers, ledger, later);
    }

    // Feeding.

    /** Feeds the scheduler from outside until the time is over or the caller says so. */
    void feed(Duration time, BooleanSupplier stop) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < time.toNanos() && !stop.getAsBoolean()) {
            for (int i = 0; i < 8 && hasRoom(); i++) {
                trySubmit(scheduler::submit, random.nextLong(), random.nextInt(ACTIONS_MAX));
            }
            Pid peer = directory.any(random);
            if (peer != null) {
                for (int i = random.nextInt(20); i > 0; i--) {
                    ledger.sent.increment();
                    ledger.returned(scheduler.send(peer, "outside", new Letter(Letter.Kind.MESSAGE)));
                }
            }
            if (random.nextInt(20) == 0) {
                trouble(directory.any(random), random);
                tryFailingInit(scheduler::submit);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Any thread. Whether there are fewer processes than there may be, more or less. */
    boolean hasRoom() {
        return ledger.alive() < aliveMax;
    }

    /** Any thread: starts a process if there is room. */
    void trySubmit(Starter starter, long seed, int actions) {
        if (!hasRoom()) {
            return;
        }
        var soaker = Soaker.of(this, seed, actions, seed % 5 == 0);
        Submission submission = Submission.of(soaker, "main");
        try {
            ProcessRef ref = starter.start(soaker.isSmall() ? submission.mailboxCapacity(SMALL_MAILBOX) : submission);
            if (seed % 7 == 0 && Thread.currentThread() == feeder) {
                ask(ref);
            }
        } catch (SubmissionRefusedException e) {
            ledger.count(Trouble.NO_PLACE);
        }
    }

    private void ask(ProcessRef ref) {
        if (asks.size() < ASKS_MAX) {
            ledger.outsideRequests.increment();
            asks.add(ref.ask("outside", new Letter(Letter.Kind.OUTSIDE_REQUEST), ASK_TIMEOUT));
        }
    }

    /** Any thread: starts a process whose init throws. */
    void tryFailingInit(Starter starter) {
        try {
            starter.start(Submission.of(Soaker.failingAtInit(this), "main"));
            ledger.fault("a process started although its init threw");
        } catch (SubmissionRefusedException e) {
            ledger.count(Trouble.NO_PLACE);
        } catch (Mishap e) {
            return; // as it must be
        }
    }

    /** Any thread: asks or forces a process to end. */
    void trouble(@Nullable Pid victim, RandomGenerator random) {
        if (victim == null) {
            return;
        }
        switch (random.nextInt(3)) {
            case 0 -> {
                ledger.count(Trouble.CANCEL);
                scheduler.cancel(victim, "soak");
            }
            case 1 -> {
                ledger.count(Trouble.DEADLINE);
                scheduler.cancel(victim, "soak", DEADLINE);
            }
            default -> {
                ledger.count(Trouble.TERMINATE);
                scheduler.terminate(victim);
            }
        }
    }

    // Ending.

    /** Stops the scheduler and closes the books. Returns what the scheduler has counted. */
    SchedulerStats finish() {
        if (end == End.RUN_OUT && !await(() -> scheduler.stats().alive() == 0)) {
            ledger.fault("not all processes ended by themselves within " + PATIENCE.toSeconds()
                    + " s after the last was started; still there: "
                    + scheduler.processes().limit(5).toList());
        }
        if (end == End.FORCED) {
            ledger.count(Trouble.KILLED_ROUND);
        }
        try {
            check(scheduler.shutdown(end == End.FORCED ? Duration.ZERO : PATIENCE));
        } catch (IllegalStateException violation) {
            ledger.fault(String.valueOf(violation.getMessage()));
        }
        if (!await(() -> threads().isEmpty())) {
            ledger.fault("threads are left after the shutdown: " + threads());
        }
        SchedulerStats stats = scheduler.stats();
        if (stats.alive() != 0) {
            ledger.fault(stats.alive() + " processes are left after the shutdown");
        }
        if (!await(() -> asks.stream().allMatch(CompletableFuture::isDone))) {
            ledger.fault("requests from outside are not answered after the shutdown");
        }
        if (!gaveUp) {
            ledger.balance(stats.submitted());
        }
        return stats;
    }

    /**
     * A shutdown by force has a second for all it does. On a starved machine that may not do to close every process; the
     * report then counts them as ended by force, and the books cannot balance.
     */
    private void check(ShutdownReport report) {
        long unclosed = ledger.alive();
        gaveUp = unclosed > 0 && unclosed <= report.forced();
        if (end != End.FORCED && !report.isGraceful()) {
            ledger.fault("processes had to be ended by force: " + report);
        }
    }

    boolean gaveUp() {
        return gaveUp;
    }

    private List<String> threads() {
        String prefix = "treadle-soak-" + number + "-";
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    private static boolean await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return true;
    }

    @Override
    public String toString() {
        return "round " + number + " (" + workers + " workers, at most " + aliveMax + " processes, " + end + ")";
    }

    /** Starts a process, from outside or as a child. */
    @FunctionalInterface
    interface Starter {
        ProcessRef start(Submission submission);
    }
}

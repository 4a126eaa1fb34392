// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

import dev.treadle.SchedulerStats;
import dev.treadle.WorkerStats;
import dev.treadle.cli.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Round after round until the time is up or a round is at fault. */
final class Soak {
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final Duration PROGRESS = Duration.ofSeconds(5);

    private final Settings settings;
    private final Supplier<Ledger> ledgers;
    private final Consumer<String> out;
    private final Map<Trouble, Long> troubles = new EnumMap<>(Trouble.class);
    private long start;
    private long shown;
    private int rounds;
    private int gaveUp;
    private long messages;
    private long yields;
    private long processes;
    private long entries;
    private long steps;
    private long steals;
    private long parks;
    private long lateAnswers;

    /**
     * What to run.
     *
     * @param time how long
     * @param seed where all random choices come from
     * @param round the first round; each depends on the seed and its number alone
     * @param workers how many, or null for a random number in each round
     */
    record Settings(
            Duration time, long seed, int round, @Nullable Integer workers) {}

    Soak(Settings settings, Supplier<Ledger> ledgers, Consumer<String> out) {
        this.settings = settings;
        this.ledgers = ledgers;
        this.out = out;
    }

    /** Runs, and returns what is wrong: nothing, or the faults of one round. */
    List<String> run(BooleanSupplier stop) {
        start = System.nanoTime();
        shown = start;
        ScheduledExecutorService later = Executors.newScheduledThreadPool(1, task -> {
            var thread = new Thread(task, "soak-answers");
            thread.setDaemon(true);
            return thread;
        });
        // What user code throws on purpose is logged as a warning each time; a violated invariant as an error.
        Logger log = Logger.getLogger("dev.treadle");
        Level before = log.getLevel();
        log.setLevel(Level.SEVERE);
        try {
            List<String> faults = List.of();
            for (int number = settings.round(); faults.isEmpty() && !isOver() && !stop.getAsBoolean(); number++) {
                faults = runRound(number, later, stop);
            }
            return faults;
        } finally {
            later.shutdownNow();
            log.setLevel(before);
        }
    }

    private boolean isOver() {
        return elapsed().compareTo(settings.time()) >= 0;
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private List<String> runRound(int number, ScheduledExecutorService later, BooleanSupplier stop) {
        Ledger ledger = ledgers.get();
        Round round = Round.start(number, settings.seed(), settings.workers(), ledger, later);
        Duration left = settings.time().minus(elapsed());
        round.feed(left.compareTo(ROUND) < 0 ? left : ROUND, stop);
        add(ledger, round.finish());
        gaveUp += round.gaveUp() ? 1 : 0;
        if (System.nanoTime() - shown >= PROGRESS.toNanos()) {
            shown = System.nanoTime();
            out.accept(Figures.seconds(elapsed()) + ": " + round + ": so far " + sums());
        }
        var faults = new ArrayList<String>();
        ledger.faults().forEach(fault -> faults.add(round + ": " + fault));
        return faults;
    }

    private void add(Ledger ledger, SchedulerStats stats) {
        rounds++;
        messages +=
                ledger.sent.sum() + ledger.outsideRequests.sum() + ledger.timerLetters.sum() + ledger.requests.sum();
        yields += ledger.yields.sum();
        processes += ledger.inits.sum();
        entries += ledger.entries();
        WorkerStats total = stats.total();
        steps += total.steps();
        steals += total.stealsWon();
        parks += total.parks();
        lateAnswers += stats.lateAnswers();
        ledger.troubles().forEach((trouble, count) -> troubles.merge(trouble, count, Long::sum));
    }

    private String sums() {
        return Figures.exact(messages) + " messages, " + Figures.exact(yields) + " yields, " + Figures.exact(processes)
                + " processes accounted for in " + rounds + " rounds";
    }

    /** Returns what was done, in lines. */
    List<String> summary() {
        return List.of(
                sums() + ", " + Figures.seconds(elapsed()),
                "checked: " + Figures.exact(entries) + " messages, completions and closes",
                "scheduler: " + Figures.exact(steps) + " steps, " + Figures.exact(steals) + " steals, "
                        + Figures.exact(parks) + " parks, " + Figures.exact(lateAnswers) + " late answers",
                "trouble: "
                        + troubles.entrySet().stream()
                                .map(each -> Figures.exact(each.getValue()) + " " + each.getKey().plural)
                                .collect(Collectors.joining(", ")),
                "rounds ended by force in which the time did not do to close all: " + gaveUp);
    }

    /** Returns the number of the round that was run last, the one at fault if there was any. */
    int lastRound() {
        return settings.round() + rounds - 1;
    }
}

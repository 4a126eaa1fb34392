// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Runs a trial with many seeds, on several threads, until one fails; and makes a report of that one. */
final class Explorer {
    /** So many of the first seeds are run twice: one at random, one by preemptions. */
    private static final int RUN_TWICE = 2;

    private final Trial trial;
    private final Exploration exploration;

    Explorer(Trial trial, Exploration exploration) {
        this.trial = trial;
        this.exploration = exploration;
    }

    /** One run of the trial: how it went, and what it decided. */
    static final class Attempt {
        private final Choices choices;
        private final Trace trace;
        private final @Nullable SimulationFailure failure;

        Attempt(Choices choices, Trace trace, @Nullable SimulationFailure failure) {
            this.choices = choices;
            this.trace = trace;
            this.failure = failure;
        }

        Choices choices() {
            return choices;
        }

        Trace trace() {
            return trace;
        }

        @Nullable
        SimulationFailure failure() {
            return failure;
        }

        boolean isLike(Attempt other) {
            return failure != null && other.failure != null && failure.failure().isLike(other.failure.failure());
        }
    }

    /** Runs once. */
    Attempt attempt(Choices choices) {
        var simulation = new Simulation(choices, true);
        try {
            trial.run(simulation);
            return new Attempt(choices, simulation.trace(), null);
        } catch (Throwable thrown) {
            return new Attempt(choices, simulation.trace(), simulation.failureOf(thrown));
        }
    }

    /**
     * Runs so many seeds.
     *
     * @param threads how many at a time
     * @return the report of one that fails, or null if none does
     */
    @Nullable
    SimulationFailure explore(long firstSeed, int seeds, int threads) {
        var next = new AtomicInteger();
        var lowest = new AtomicInteger(seeds);
        var failed = new ConcurrentLinkedQueue<Attempt>();
        Runnable work = () -> {
            for (int i = next.getAndIncrement(); i < lowest.get(); i = next.getAndIncrement()) {
                Attempt attempt = attempt(Choices.of(firstSeed + i, exploration));
                Attempt parted = i < RUN_TWICE ? runAgain(attempt) : null;
                if (parted != null || attempt.failure() != null) {
                    lowest.accumulateAndGet(i, Math::min); // those below are still run: the same report each time
                    failed.add(parted != null ? parted : attempt);
                }
            }
        };
        var helpers = new ArrayList<Thread>();
        for (int i = 1; i < Math.min(threads, seeds); i++) {
            var helper = new Thread(work, "simulation-" + i);
            helper.setDaemon(true);
            helpers.add(helper);
            helper.start();
        }
        work.run();
        join(helpers);
        return failed.stream()
                .min(Comparator.comparingLong(attempt -> attempt.choices().seed()))
                .map(attempt -> report(attempt, seeds))
                .orElse(null);
    }

    private static void join(List<Thread> helpers) {
        for (Thread helper : helpers) {
            try {
                helper.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return; // they are daemons, and the test is over
            }
        }
    }

    /** Runs again what was run, and shrinks it if it fails in the same way. */
    SimulationFailure report(Attempt attempt, int seeds) {
        SimulationFailure failure = Objects.requireNonNull(attempt.failure());
        if (failure.failure().kind() == Failure.Kind.NOT_DETERMINISTIC) {
            return failure;
        }
        Attempt parted = runAgain(attempt);
        if (parted != null) {
            return Objects.requireNonNull(parted.failure());
        }
        Attempt small = new Shrinker(this).shrink(attempt);
        String headline =
                "seed " + attempt.choices().seed() + " fails, found within " + seeds + " seeds and shrunk from "
                        + attempt.choices().made().size() + " decisions and "
                        + attempt.trace().events().size() + " events to "
                        + small.choices().made().size() + " and "
                        + small.trace().events().size();
        SimulationFailure last = Objects.requireNonNull(small.failure());
        return new SimulationFailure(
                last.failure(), small.trace(), small.choices().replayLine(), headline);
    }

    /** Runs it again; returns a failed attempt that says where the two parted, or null if they did not. */
    @Nullable
    Attempt runAgain(Attempt first) {
        Attempt second = attempt(
                Choices.replaying(first.choices().seed(), first.choices().made()));
        String where = Parting.of(first, second);
        if (where == null) {
            return null;
        }
        var failure = new Failure(Failure.Kind.NOT_DETERMINISTIC, "", where, List.of(), null);
        return new Attempt(
                first.choices(),
                first.trace(),
                new SimulationFailure(
                        failure,
                        first.trace(),
                        first.choices().replayLine(),
                        "seed " + first.choices().seed()));
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Runs contenders in alternation on workloads, as often as asked, and repeats what was disturbed. */
public final class Campaign {
    /** How often a disturbed run is repeated, at the most. */
    public static final int REPEATS_MAX = 2;

    private final List<Workload> workloads;
    private final List<Contender> contenders;
    private final int forks;
    private final int repeatsMax;
    private final ForkRunner runner;
    private final Progress progress;

    /** Prepares a campaign. */
    public Campaign(
            List<Workload> workloads,
            List<Contender> contenders,
            int forks,
            int repeatsMax,
            ForkRunner runner,
            Progress progress) {
        this.workloads = List.copyOf(workloads);
        this.contenders = List.copyOf(contenders);
        this.forks = forks;
        this.repeatsMax = repeatsMax;
        this.runner = runner;
        this.progress = progress;
    }

    /** Hears what is done, while it is done. */
    public interface Progress {
        /** A run begins: the number of it, of how many. */
        void begins(int run, int runs, Workload workload, Contender contender);

        /** A run has ended; if it will be repeated, it was disturbed. */
        void ended(Workload workload, Contender contender, ForkResult result, boolean repeated);
    }

    /** Keeps what was measured so far: a campaign takes long, and may be interrupted. */
    @FunctionalInterface
    public interface Checkpoint {
        /** All runs of another workload have ended. */
        void keep(List<Series> soFar) throws IOException;
    }

    /** Runs all. */
    public List<Series> run(Checkpoint checkpoint) throws IOException, InterruptedException {
        var all = new ArrayList<Series>();
        int run = 0;
        int runs = workloads.size() * contenders.size() * forks;
        for (Workload workload : workloads) {
            Map<Contender, List<ForkResult>> results = new EnumMap<>(Contender.class);
            contenders.forEach(contender -> results.put(contender, new ArrayList<>()));
            for (int fork = 0; fork < forks; fork++) {
                for (int i = 0; i < contenders.size(); i++) {
                    // Another one is first each time: a machine that grows warm must not favour anybody.
                    Contender contender = contenders.get((i + fork) % contenders.size());
                    progress.begins(++run, runs, workload, contender);
                    results.getOrDefault(contender, List.of()).add(runOne(workload, contender));
                }
            }
            List<Series> series = contenders.stream()
                    .map(contender -> new Series(
                            workload.label(),
                            contender.label(),
                            List.copyOf(results.getOrDefault(contender, List.of()))))
                    .toList();
            all.addAll(series);
            checkpoint.keep(List.copyOf(all));
        }
        return all;
    }

    /** Returns the least disturbed of as many tries as it took. */
    private ForkResult runOne(Workload workload, Contender contender) throws IOException, InterruptedException {
        ForkResult best = runner.run(workload, contender);
        for (int repeat = 0; repeat < repeatsMax && best.isDisturbed(); repeat++) {
            progress.ended(workload, contender, best, true);
            ForkResult again = runner.run(workload, contender);
            if (again.othersShare() < best.othersShare()) {
                best = again;
            }
        }
        progress.ended(workload, contender, best, false);
        return best;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Runs Treadle with several numbers of workers, in alternation: does it gain by more of them? */
public final class Lanes {
    private final List<Workload> workloads;
    private final List<Integer> workers;
    private final int forks;
    private final int repeatsMax;
    private final IntFunction<ForkRunner> runners;
    private final Progress progress;
    private int run;

    /**
     * Prepares the runs.
     *
     * @param workers the numbers of workers
     * @param runners gives what starts JVMs with so many workers
     */
    public Lanes(
            List<Workload> workloads,
            List<Integer> workers,
            int forks,
            int repeatsMax,
            IntFunction<ForkRunner> runners,
            Progress progress) {
        this.workloads = List.copyOf(workloads);
        this.workers = List.copyOf(workers);
        this.forks = forks;
        this.repeatsMax = repeatsMax;
        this.runners = runners;
        this.progress = progress;
    }

    /** Hears what is done, while it is done. */
    @FunctionalInterface
    public interface Progress {
        /** Runs with so many workers begin; what it returns hears of them. */
        Campaign.Progress begins(int workers);
    }

    /** Keeps what was measured so far. */
    @FunctionalInterface
    public interface Checkpoint {
        /** All runs of another workload have ended. */
        void keep(List<Lane> soFar) throws IOException;
    }

    /** Runs all. */
    public List<Lane> run(Checkpoint checkpoint) throws IOException, InterruptedException {
        var all = new ArrayList<Lane>();
        for (Workload workload : workloads) {
            Map<Integer, List<ForkResult>> results = new LinkedHashMap<>();
            workers.forEach(count -> results.put(count, new ArrayList<>()));
            for (int fork = 0; fork < forks; fork++) {
                for (int i = 0; i < workers.size(); i++) {
                    int count = workers.get((i + fork) % workers.size());
                    results.getOrDefault(count, new ArrayList<>()).addAll(once(workload, count));
                }
            }
            results.forEach((count, forksOfIt) -> all.add(
                    new Lane(count, new Series(workload.label(), Contender.TREADLE.label(), List.copyOf(forksOfIt)))));
            checkpoint.keep(List.copyOf(all));
        }
        return all;
    }

    private List<ForkResult> once(Workload workload, int count) throws IOException, InterruptedException {
        var campaign = new Campaign(
                List.of(workload),
                List.of(Contender.TREADLE),
                1,
                repeatsMax,
                runners.apply(count),
                numbered(progress.begins(count)));
        return campaign.run(soFar -> {}).get(0).forks();
    }

    /** Each campaign here is of one run, and does not know of the others. */
    private Campaign.Progress numbered(Campaign.Progress one) {
        int number = ++run;
        return new Campaign.Progress() {
            @Override
            public void begins(int run, int runs, Workload workload, Contender contender) {
                one.begins(number, workloads.size() * workers.size() * forks, workload, contender);
            }

            @Override
            public void ended(Workload workload, Contender contender, ForkResult result, boolean repeated) {
                one.ended(workload, contender, result, repeated);
            }
        };
    }
}

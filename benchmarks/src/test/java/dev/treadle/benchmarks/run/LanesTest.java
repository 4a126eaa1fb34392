// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import static dev.treadle.benchmarks.Workload.BIG;
import static dev.treadle.benchmarks.Workload.SKYNET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.ForkResult.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LanesTest {
    private final List<String> runs = new ArrayList<>();

    private final List<String> begun = new ArrayList<>();

    private final Campaign.Progress progress = new Campaign.Progress() {
        @Override
        public void begins(int run, int runs, Workload workload, Contender contender) {
            begun.add(run + "/" + runs);
        }

        @Override
        public void ended(Workload workload, Contender contender, ForkResult result, boolean repeated) {}
    };

    private ForkRunner runner(int workers) {
        return (workload, contender) -> {
            runs.add(workload.label() + " " + contender.label() + " " + workers);
            return new ForkResult(Status.OK, List.of(100.0 / workers), 1, 0, null);
        };
    }

    @Test
    void eachNumberOfWorkersIsFirstInTurn() throws Exception {
        var kept = new ArrayList<Integer>();
        List<Lane> lanes = new Lanes(List.of(BIG, SKYNET), List.of(1, 2), 2, 0, this::runner, workers -> progress)
                .run(soFar -> kept.add(soFar.size()));

        assertThat(runs)
                .containsExactly(
                        "big treadle 1",
                        "big treadle 2",
                        "big treadle 2",
                        "big treadle 1",
                        "skynet treadle 1",
                        "skynet treadle 2",
                        "skynet treadle 2",
                        "skynet treadle 1");
        assertThat(begun).containsExactly("1/8", "2/8", "3/8", "4/8", "5/8", "6/8", "7/8", "8/8");
        assertThat(kept).as("what is kept after each workload").containsExactly(2, 4);
        assertThat(lanes).extracting(Lane::workers).containsExactly(1, 2, 1, 2);
        assertThat(lanes).extracting(lane -> lane.series().median(0)).containsExactly(100.0, 50.0, 100.0, 50.0);
        assertThat(lanes).allMatch(lane -> lane.series().forks().size() == 2);
    }
}

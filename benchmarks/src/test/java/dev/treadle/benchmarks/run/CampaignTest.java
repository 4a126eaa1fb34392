// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import static dev.treadle.benchmarks.Contender.FJ;
import static dev.treadle.benchmarks.Contender.TREADLE;
import static dev.treadle.benchmarks.Workload.PINGPONG;
import static dev.treadle.benchmarks.Workload.RING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.ForkResult.Status;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class CampaignTest {
    private final List<String> runs = new ArrayList<>();
    private final List<String> repeated = new ArrayList<>();

    private final Campaign.Progress progress = new Campaign.Progress() {
        @Override
        public void begins(int run, int of, Workload workload, Contender contender) {
            runs.add(run + "/" + of + " " + workload.label() + " " + contender.label());
        }

        @Override
        public void ended(Workload workload, Contender contender, ForkResult result, boolean again) {
            if (again) {
                repeated.add(contender.label());
            }
        }
    };

    private static ForkResult measured(double figure, double othersShare) {
        return new ForkResult(Status.OK, List.of(figure), 3, othersShare, null);
    }

    @Test
    void contendersAlternateAndAnotherOneIsFirstEachTime() throws Exception {
        var campaign = new Campaign(
                List.of(PINGPONG, RING), List.of(TREADLE, FJ), 2, 2, (workload, contender) -> measured(1, 0), progress);

        var kept = new ArrayList<Integer>();
        List<Series> series = campaign.run(soFar -> kept.add(soFar.size()));

        assertThat(runs)
                .containsExactly(
                        "1/8 pingpong treadle",
                        "2/8 pingpong fj",
                        "3/8 pingpong fj",
                        "4/8 pingpong treadle",
                        "5/8 ring treadle",
                        "6/8 ring fj",
                        "7/8 ring fj",
                        "8/8 ring treadle");
        assertThat(series).hasSize(4).allSatisfy(one -> assertThat(one.forks()).hasSize(2));
        assertThat(kept).as("after each workload").containsExactly(2, 4);
    }

    @Test
    void whenARunIsDisturbed_thenItIsRepeatedAndTheQuietOneCounts() throws Exception {
        Iterator<ForkResult> results =
                List.of(measured(9, 0.5), measured(8, 0.3), measured(7, 0)).iterator();
        var campaign =
                new Campaign(List.of(PINGPONG), List.of(FJ), 1, 2, (workload, contender) -> results.next(), progress);

        Series series = campaign.run(soFar -> {}).get(0);

        assertThat(series.median(0)).isEqualTo(7);
        assertThat(series.isDisturbed()).isFalse();
        assertThat(repeated).hasSize(2);
    }

    @Test
    void whenAllTriesAreDisturbed_thenTheLeastDisturbedIsKeptAndMarked() throws Exception {
        Iterator<ForkResult> results =
                List.of(measured(9, 0.3), measured(8, 0.2), measured(7, 0.4)).iterator();
        var campaign =
                new Campaign(List.of(PINGPONG), List.of(FJ), 1, 2, (workload, contender) -> results.next(), progress);

        Series series = campaign.run(soFar -> {}).get(0);

        assertThat(results.hasNext()).isFalse();
        assertThat(series.median(0)).isEqualTo(8);
        assertThat(series.isDisturbed()).isTrue();
    }

    @Test
    void aResultAtTheLimitIsNotDisturbedAndOnePastItIs() {
        assertThat(measured(1, ForkResult.OTHERS_SHARE_MAX).isDisturbed()).isFalse();
        assertThat(measured(1, Math.nextUp(ForkResult.OTHERS_SHARE_MAX)).isDisturbed())
                .isTrue();
        assertThat(measured(1, -1).isDisturbed()).as("unknown").isFalse();
    }
}

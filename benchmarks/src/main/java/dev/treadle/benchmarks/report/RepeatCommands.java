// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.report;

import dev.treadle.benchmarks.Contender;
import dev.treadle.benchmarks.Workload;
import dev.treadle.benchmarks.run.Lane;
import dev.treadle.benchmarks.run.Results;
import java.util.List;
import java.util.stream.Collectors;

/** The commands that give the results of a page again. */
final class RepeatCommands {
    private static final String FILE = "all.json";

    private RepeatCommands() {}

    /** Returns a line for each. */
    static String of(Results results, List<Results> others) {
        var lines = new StringBuilder(campaign(results)).append(FILE).append('\n');
        if (!results.lanes().isEmpty()) {
            lines.append(lanes(results.lanes()));
        }
        var also = new StringBuilder();
        for (int i = 0; i < others.size(); i++) {
            String file = "other" + (i == 0 ? "" : i + 1) + ".json";
            lines.append(campaign(others.get(i))).append(file).append(" --jdk HOME\n");
            also.append(also.isEmpty() ? " --also " : ",").append(file);
        }
        return lines.append("./treadle bench --report --json " + FILE)
                .append(also)
                .append('\n')
                .toString();
    }

    private static String campaign(Results results) {
        List<Workload> workloads = results.workloads();
        String named = workloads.size() == Workload.values().length
                ? ""
                : workloads.stream().map(Workload::label).collect(Collectors.joining(" ")) + " ";
        String peers = results.contenders().stream()
                .filter(contender -> contender != Contender.TREADLE)
                .map(Contender::label)
                .collect(Collectors.joining(","));
        return "./treadle bench " + named + "--peers " + peers + " --forks "
                + results.environment().forks() + " --json ";
    }

    private static String lanes(List<Lane> lanes) {
        String workloads =
                lanes.stream().map(lane -> lane.series().workload()).distinct().collect(Collectors.joining(" "));
        String counts = lanes.stream()
                .map(lane -> String.valueOf(lane.workers()))
                .distinct()
                .collect(Collectors.joining(","));
        return "./treadle bench " + workloads + " --lanes " + counts + " --forks "
                + lanes.get(0).series().forks().size() + " --json " + FILE + "\n";
    }
}

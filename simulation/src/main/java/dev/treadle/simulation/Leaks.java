// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.ProcessInfo;
import dev.treadle.SteppedScheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks for what is left at the end of a run. */
final class Leaks {
    private Leaks() {}

    /** When all is quiet: what is left of a scenario that is to leave nothing, or null. */
    static @Nullable Failure beforeShutdown(Run run) {
        var left = new ArrayList<String>();
        for (SimulatedNode node : run.nodes.values()) {
            if (!node.isUp()) {
                continue;
            }
            var hosts = new ArrayList<SteppedScheduler>();
            node.addHostsTo(hosts);
            for (SteppedScheduler host : hosts) {
                host.scheduler()
                        .processes()
                        .sorted(Comparator.comparingLong(info -> info.pid().id()))
                        .forEach(info -> left.add(describe(info)));
                if (host.nextTimerNanos() != Long.MAX_VALUE) {
                    left.add("a timer on host " + host.scheduler().name());
                }
            }
            node.node().names().all().forEach((name, pid) -> left.add("name \"" + name + "\" of " + pid));
        }
        run.waits
                .processes()
                .forEach(pid -> left.add(run.waits.describe(List.of(pid)).trim()));
        return failure("at the end, where nothing was expected to be", left);
    }

    private static String describe(ProcessInfo info) {
        return "process " + info.pid() + " " + Render.name(info.type()) + ", " + info.state() + ", "
                + info.queueLength() + " messages wait";
    }

    /** When all nodes were shut down: what is left that never should be, or null. */
    static @Nullable Failure afterShutdown(Run run) {
        var left = new ArrayList<String>();
        run.waits.processes().forEach(pid -> left.add("commands in flight of " + pid + ", which has ended"));
        run.nodes.values().forEach(node -> left.addAll(node.namesLeft()));
        return failure("after the shutdown", left);
    }

    private static @Nullable Failure failure(String when, List<String> left) {
        return left.isEmpty()
                ? null
                : new Failure(
                        Failure.Kind.LEAK,
                        when,
                        "this is left " + when + ":\n  " + String.join("\n  ", left),
                        List.of(),
                        null);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Pid;
import dev.treadle.ProcessInfo;
import dev.treadle.SteppedScheduler;
import dev.treadle.TimeSource;
import dev.treadle.node.Host;
import dev.treadle.node.Node;
import dev.treadle.node.NodeBuilder;
import dev.treadle.node.SteppedNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node of a simulation, which may be stopped and started again. */
final class SimulatedNode {
    /** Enough for wakes and spawns to go different ways; the same on every machine. */
    private static final int WORKERS = 2;

    private final String name;
    private final Run run;
    private final Consumer<NodeBuilder> settings;
    private final Duration skew;
    private Consumer<Node> boot = node -> {};
    private @Nullable SteppedNode stepped;
    private long starts;
    private final List<String> namesLeft = new ArrayList<>();

    /** Called with the node each time that it was made, before it boots. */
    private Consumer<SimulatedNode> onMade = node -> {};

    SimulatedNode(String name, Run run, Consumer<NodeBuilder> settings, Duration skew) {
        this.name = name;
        this.run = run;
        this.settings = settings;
        this.skew = skew;
    }

    String name() {
        return name;
    }

    void onMade(Consumer<SimulatedNode> action) {
        onMade = action;
    }

    /** Sets what is run with the node each time it starts, and runs it if it is up. */
    void boot(Consumer<Node> boot) {
        this.boot = boot;
        if (isUp()) {
            boot.accept(node());
        }
    }

    void start() {
        NodeBuilder builder = Node.builder().name(name);
        settings.accept(builder);
        long seed = run.choices.seed() * 31 + starts++;
        TimeSource time = new NodeTime(run.time, skew);
        builder.schedulers(scheduler -> scheduler
                .workers(WORKERS)
                .seed(seed)
                .time(time)
                .director(run.directing)
                .listener(run.directing));
        SteppedNode made = builder.stepped();
        stepped = made;
        onMade.accept(this);
        made.awaitServices();
        boot.accept(made.node());
    }

    void stop(Duration grace) {
        SteppedNode running = stepped;
        if (running != null) {
            running.node().shutdown(grace);
            running.node().names().all().forEach((held, pid) -> namesLeft.add("name \"" + held + "\" of " + pid));
            stepped = null;
        }
    }

    /** What processes that have ended with the node left behind. */
    List<String> namesLeft() {
        return namesLeft;
    }

    boolean isUp() {
        return stepped != null;
    }

    Node node() {
        if (stepped == null) {
            throw new IllegalStateException(
                    "node \"" + name + "\" is down at this moment of the simulation: look at isUp() before");
        }
        return stepped.node();
    }

    void addHostsTo(List<SteppedScheduler> hosts) {
        if (stepped != null) {
            hosts.addAll(stepped.hosts().values());
        }
    }

    List<String> hostsUp() {
        return stepped == null ? List.of() : List.copyOf(stepped.hosts().keySet());
    }

    List<String> hostNames() {
        return stepped == null
                ? List.of()
                : stepped.node().hosts().stream().map(Host::name).toList();
    }

    Optional<ProcessInfo> inspect(Pid pid) {
        SteppedScheduler host = stepped == null ? null : stepped.hosts().get(pid.host());
        return host == null ? Optional.empty() : host.scheduler().inspect(pid);
    }

    /** The clock as this node sees it: its time of day may be off, its timers are not. */
    private record NodeTime(VirtualTime time, Duration skew) implements TimeSource {
        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public Instant instant() {
            return time.instant().plus(skew);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.SteppedScheduler;
import java.util.LinkedHashMap;
import java.util.Map;

/** A node without threads: whoever holds it decides which host and worker runs next. All else is the node's own code. */
public final class SteppedNode implements AutoCloseable {
    private final Node node;

    SteppedNode(Node node) {
        this.node = node;
    }

    /** Returns the node. */
    public Node node() {
        return node;
    }

    /** Returns the schedulers of the hosts that run, by name. */
    public Map<String, SteppedScheduler> hosts() {
        var running = new LinkedHashMap<String, SteppedScheduler>();
        for (Host host : node.hosts()) {
            SteppedScheduler stepped = host.stepped();
            if (stepped != null) {
                running.put(host.name(), stepped);
            }
        }
        return running;
    }

    /** Lets all workers of all hosts take turns until none finds a process. Returns how many turns were run. */
    public long runAll() {
        long turns = 0;
        long before;
        do {
            before = turns;
            for (SteppedScheduler host : hosts().values()) {
                turns += host.runAll();
            }
        } while (turns != before);
        return turns;
    }

    /** Fires the timers that are due, on all hosts. Returns how many. */
    public int fireTimers() {
        return hosts().values().stream().mapToInt(SteppedScheduler::fireTimers).sum();
    }

    /** Returns when the next timer is due, in nanoseconds of the clock; Long.MAX_VALUE if there is none. */
    public long nextTimerNanos() {
        return hosts().values().stream()
                .mapToLong(SteppedScheduler::nextTimerNanos)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Lets the {@link dev.treadle.Director} of the hosts take turns until the services of the node have started, as {@link
     * NodeBuilder#start} waits for them.
     *
     * @throws SupervisorStartException if a service did not start, or not in time
     */
    public void awaitServices() {
        node.services().awaitDirected();
    }

    /** Shuts the node down. */
    @Override
    public void close() {
        node.close();
    }
}

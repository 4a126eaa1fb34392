// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.ProcessInfo.State;
import dev.treadle.Scheduler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** How many processes there are in each state, by host; paced, since each process has to be looked at. Any thread. */
final class StateCounts {
    private final Subject subject;
    private final ConcurrentMap<String, Paced<Map<State, Long>>> byHost = new ConcurrentHashMap<>();

    StateCounts(Subject subject) {
        this.subject = subject;
    }

    /**
     * The counts of one host.
     *
     * @param age how long ago they were true
     */
    record Counts(Map<State, Long> processes, Duration age) {
        long of(State state) {
            return processes.getOrDefault(state, 0L);
        }
    }

    Counts of(String host) {
        var known = byHost.computeIfAbsent(host, name -> new Paced<>(() -> count(name)))
                .get();
        return new Counts(known.value(), known.age());
    }

    private Map<State, Long> count(String host) {
        var counts = new EnumMap<State, long[]>(State.class);
        for (State state : State.values()) {
            counts.put(state, new long[1]);
        }
        Scheduler scheduler = subject.schedulers().get(host);
        if (scheduler != null) {
            scheduler.scan(process -> Objects.requireNonNull(counts.get(process.state()))[0]++);
        }
        var byState = new EnumMap<State, Long>(State.class);
        counts.forEach((state, count) -> byState.put(state, count[0]));
        return byState;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.DelayHistogram;
import dev.treadle.Scheduler;
import dev.treadle.SchedulerStats;
import dev.treadle.WorkerInfo;
import dev.treadle.WorkerStats;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The counters of all hosts at a moment. Costs next to nothing to take.
 *
 * @param nanos when, by the clock that only goes forward
 */
record Sample(long epochMillis, long nanos, List<Host> hosts) {
    /** One host of a sample. */
    record Host(String name, SchedulerStats stats, WorkerStats total, List<WorkerInfo> workers) {
        long messages() {
            return total.messagesSent() + stats.messagesFromOutside();
        }

        long alive() {
            return Math.max(0, stats.submitted() - stats.completed());
        }
    }

    static Sample of(Subject subject) {
        long epochMillis = System.currentTimeMillis(); // first: nothing in a sample is older than it says
        long nanos = System.nanoTime();
        var hosts = new ArrayList<Host>();
        subject.schedulers().forEach((name, scheduler) -> hosts.add(of(name, scheduler)));
        return new Sample(epochMillis, nanos, hosts);
    }

    private static Host of(String name, Scheduler scheduler) {
        SchedulerStats stats = scheduler.quickStats();
        return new Host(name, stats, stats.total(), scheduler.workers());
    }

    long sum(ToLongFunction<Host> figure) {
        return hosts.stream().mapToLong(figure).sum();
    }

    @Nullable
    Host host(String name) {
        return hosts.stream()
                .filter(host -> host.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    double secondsSince(Sample earlier) {
        return (nanos - earlier.nanos) / 1e9;
    }

    /** Returns how often something happened per second since an earlier sample; a host that was started anew counts from 0. */
    double rate(Sample earlier, ToLongFunction<Host> figure) {
        double seconds = secondsSince(earlier);
        if (seconds <= 0) {
            return 0;
        }
        long happened = 0;
        for (Host host : hosts) {
            happened += since(figure.applyAsLong(host), earlier.host(host.name()), figure);
        }
        return happened / seconds;
    }

    private static long since(long now, @Nullable Host before, ToLongFunction<Host> figure) {
        long then = before == null ? 0 : figure.applyAsLong(before);
        return now >= then ? now - then : now;
    }

    /** Returns the delays that were measured on all hosts since an earlier sample. */
    @Nullable
    DelayHistogram delaysSince(Sample earlier) {
        DelayHistogram sum = null;
        for (Host host : hosts) {
            Host before = earlier.host(host.name());
            DelayHistogram delays = host.stats().readyDelay();
            DelayHistogram since =
                    before == null ? delays : delays.since(before.stats().readyDelay());
            sum = sum == null ? since : sum.plus(since);
        }
        return sum;
    }
}

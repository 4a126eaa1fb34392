// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Scheduler;
import dev.treadle.WorkerStats;
import dev.treadle.node.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Writes what each worker has done to the JDK's flight recorder, once a second while somebody records: {@code
 * dev.treadle.WorkerStatistics} with steps, parks, steals and queue length. Costs nothing otherwise.
 */
public final class FlightRecorderStatistics implements AutoCloseable {
    /*
     * Sums in place of an event for each park and each steal: of those there are up to a hundred thousand a second, and what
     * people look for is when there were many.
     */
    private final Subject subject;
    private final Runnable hook = this::record;

    /** The recorder's thread only. */
    private final Map<String, WorkerStats> before = new HashMap<>();

    private FlightRecorderStatistics(Subject subject) {
        this.subject = subject;
    }

    /** Starts to write those of a node; until it is closed. */
    public static FlightRecorderStatistics of(Node node) {
        return new FlightRecorderStatistics(
                        Subject.of(Objects.requireNonNull(node, "node is null: give what to record")))
                .start();
    }

    /** Starts to write those of one scheduler; until it is closed. */
    public static FlightRecorderStatistics of(Scheduler scheduler) {
        return new FlightRecorderStatistics(
                        Subject.of(Objects.requireNonNull(scheduler, "scheduler is null: give what to record")))
                .start();
    }

    private FlightRecorderStatistics start() {
        FlightRecorder.addPeriodicEvent(RecordedEvents.WorkerStatistics.class, hook);
        return this;
    }

    private synchronized void record() {
        for (Sample.Host host : Sample.of(subject).hosts()) {
            for (WorkerStats now : host.stats().workers()) {
                WorkerStats then = before.put(host.name() + " " + now.index(), now);
                write(host.name(), now, then == null || then.steps() > now.steps() ? null : then);
            }
        }
    }

    private static void write(String host, WorkerStats now, @Nullable WorkerStats then) {
        var event = new RecordedEvents.WorkerStatistics();
        event.host = host;
        event.worker = now.index();
        event.steps = now.steps() - (then == null ? 0 : then.steps());
        event.parks = now.parks() - (then == null ? 0 : then.parks());
        event.steals = now.stealsWon() - (then == null ? 0 : then.stealsWon());
        event.itemsStolen = now.itemsStolen() - (then == null ? 0 : then.itemsStolen());
        event.queueLength = now.queueLength();
        event.commit();
    }

    /** Writes no more. */
    @Override
    public void close() {
        FlightRecorder.removePeriodicEvent(hook);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The events that the flight recorder gets. Their names do not change. */
final class RecordedEvents {
    private RecordedEvents() {}

    /** A process was started. */
    @Name("dev.treadle.ProcessStart")
    @Label("Process Start")
    @Category("Treadle")
    @Enabled(false)
    @StackTrace(false)
    static final class ProcessStart extends Event {
        @Label("Process")
        @Nullable
        String pid;

        @Label("Type")
        @Nullable
        String processType;

        @Label("Method")
        @Nullable
        String method;

        @Label("Parent")
        @Nullable
        String parent;
    }

    /** A process has ended. */
    @Name("dev.treadle.ProcessEnd")
    @Label("Process End")
    @Category("Treadle")
    @Enabled(false)
    @StackTrace(false)
    static final class ProcessEnd extends Event {
        @Label("Process")
        @Nullable
        String pid;

        @Label("Kind")
        @Nullable
        String kind;

        @Label("Reason")
        @Nullable
        String reason;
    }

    /** A message was not delivered, or not read. */
    @Name("dev.treadle.DeadLetter")
    @Label("Dead Letter")
    @Category("Treadle")
    @StackTrace(false)
    static final class DeadLetter extends Event {
        @Label("Receiver")
        @Nullable
        String target;

        @Label("Sender")
        @Nullable
        String sender;

        @Label("Topic")
        @Nullable
        String topic;

        @Label("Reason")
        @Nullable
        String reason;
    }

    /** A step has run for longer than the limit, and still does. */
    @Name("dev.treadle.SlowStep")
    @Label("Slow Step")
    @Category("Treadle")
    @StackTrace(false)
    static final class SlowStep extends Event {
        @Label("Process")
        @Nullable
        String pid;

        @Label("Worker")
        int worker;

        @Label("Elapsed")
        @Timespan(Timespan.NANOSECONDS)
        long elapsed;

        @Label("Stack")
        @Description("Where the worker was when the step was found to be slow")
        @Nullable
        String stack;
    }

    /** A worker had nothing to do, and slept until now. */
    @Name("dev.treadle.Park")
    @Label("Park")
    @Category("Treadle")
    @Enabled(false)
    @StackTrace(false)
    static final class Park extends Event {
        @Label("Worker")
        int worker;

        @Label("Slept")
        @Timespan(Timespan.NANOSECONDS)
        long slept;
    }

    /** A worker took over processes that waited for another one. */
    @Name("dev.treadle.StealBatch")
    @Label("Steal Batch")
    @Category("Treadle")
    @Enabled(false)
    @StackTrace(false)
    static final class StealBatch extends Event {
        @Label("Worker")
        int worker;

        @Label("Processes")
        int processes;
    }

    /** What a worker has done since the last of these events. */
    @Name("dev.treadle.WorkerStatistics")
    @Label("Worker Statistics")
    @Category("Treadle")
    @Period("1 s")
    @StackTrace(false)
    static final class WorkerStatistics extends Event {
        @Label("Host")
        @Nullable
        String host;

        @Label("Worker")
        int worker;

        @Label("Steps")
        long steps;

        @Label("Parks")
        long parks;

        @Label("Steals")
        long steals;

        @Label("Processes Stolen")
        long itemsStolen;

        @Label("Ready Processes")
        int queueLength;
    }
}

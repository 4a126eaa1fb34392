// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * What a crowd of processes takes: all are started and have their first step, each gets one message, each ends by another.
 * Tells the time of each part, the memory of an idle process, and how often the whole heap had to be collected meanwhile.
 */
public final class Crowd {
    private static final String PING = "ping";
    private static final String END = "end";
    private static final long LOOK_NANOS = 1_000_000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final int size;
    private final LongAdder steps = new LongAdder();

    private Crowd(int size) {
        this.size = size;
    }

    /**
     * How it went.
     *
     * @param fullCollections how often the whole heap was collected, those apart that were asked for
     */
    public record Result(
            int size,
            double startSeconds,
            double messageSeconds,
            double endSeconds,
            double bytesEach,
            long fullCollections) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,d processes: started in %.1f s, one message each in %.1f s, ended in %.1f s; %.0f bytes each while idle;"
                            + " %d full collections",
                    size,
                    startSeconds,
                    messageSeconds,
                    endSeconds,
                    bytesEach,
                    fullCollections);
        }
    }

    static void run(PrintWriter out, int size, int workers) {
        out.printf(
                Locale.ROOT,
                "%,d processes, workers: %d, a heap of at most %,d MB, Java %s%n",
                size,
                workers,
                Runtime.getRuntime().maxMemory() >> 20,
                System.getProperty("java.version"));
        out.flush();
        out.println(measure(size, workers));
        out.flush();
    }

    /** Measures a crowd of so many. */
    static Result measure(int size, int workers) {
        return new Crowd(size).measure(workers);
    }

    private Result measure(int workers) {
        long heapBefore = HeapUse.afterFullCollection();
        long full = fullCollections();
        try (Scheduler scheduler = Scheduler.builder()
                .workers(workers)
                .shutdownTimeout(Duration.ZERO)
                .start()) {
            long start = System.nanoTime();
            for (int i = 0; i < size; i++) {
                scheduler.submit(new Member(steps), "main");
            }
            double startSeconds = await(size, start);
            full = fullCollections() - full;
            double bytesEach = (double) (HeapUse.afterFullCollection() - heapBefore) / size;
            // Not before: an address is made when it is asked for.
            long[] ids = scheduler
                    .processes()
                    .mapToLong(process -> process.pid().id())
                    .toArray();
            long asked = fullCollections();

            start = System.nanoTime();
            tellAll(scheduler, ids, PING);
            double messageSeconds = await(2L * size, start);
            start = System.nanoTime();
            tellAll(scheduler, ids, END);
            double endSeconds = await(3L * size, start);
            full += fullCollections() - asked;
            return new Result(size, startSeconds, messageSeconds, endSeconds, bytesEach, full);
        }
    }

    /** By ids, which take the least memory, and so with a look-up for each. */
    private static void tellAll(Scheduler scheduler, long[] ids, String topic) {
        for (long id : ids) {
            scheduler.send(Pid.of(scheduler.name(), id), topic, null);
        }
    }

    private double await(long wanted, long startNanos) {
        while (steps.sum() < wanted) {
            if (System.nanoTime() - startNanos > PATIENCE.toNanos()) {
                throw new IllegalStateException(
                        steps.sum() + " of " + wanted + " steps after " + PATIENCE.toMinutes() + " minutes");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /** Of the collectors that a JVM has, the one for the old generation collects the whole heap. */
    private static long fullCollections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(collector -> collector.getName().contains("Old")
                        || collector.getName().contains("MarkSweep"))
                .mapToLong(collector -> Math.max(0, collector.getCollectionCount()))
                .sum();
    }

    private static final class Member implements Process {
        private final LongAdder steps;

        Member(LongAdder steps) {
            this.steps = steps;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            if (events.isFirst()) {
                steps.increment();
            }
            for (Event event : events) {
                if (event instanceof Message message) {
                    steps.increment();
                    if (message.topic().equals(END)) {
                        out.done();
                    }
                }
            }
        }
    }
}

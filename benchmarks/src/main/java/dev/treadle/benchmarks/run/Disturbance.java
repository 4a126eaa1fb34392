// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures how much CPU time other processes, and other guests of the same host, took from this one: what was used on all
 * processors, steal included, less what this process used.
 */
final class Disturbance {
    private static final Path MACHINE = Path.of("/proc/stat");
    private static final Path SELF = Path.of("/proc/self/stat");

    /** Ticks per second of these files; 100 on every Linux that one meets. */
    private static final double TICKS_PER_SECOND = 100;

    private final boolean countsStolen;
    private final long othersBefore;
    private final long startNanos;

    private Disturbance(boolean countsStolen) {
        this.countsStolen = countsStolen;
        othersBefore = othersTicks();
        startNanos = System.nanoTime();
    }

    /**
     * Starts to watch.
     *
     * @param mostlyAsleep whether the work sleeps and wakes all the time; what the host takes to wake a processor is told as
     *     stolen from it, so stolen time says nothing then
     */
    static Disturbance watch(boolean mostlyAsleep) {
        return new Disturbance(!mostlyAsleep);
    }

    /** Returns the share of all processors' time since the start that others had, or -1 if this system does not tell. */
    double share() {
        long others = othersTicks();
        if (others < 0 || othersBefore < 0) {
            return -1;
        }
        double seconds =
                (System.nanoTime() - startNanos) / 1e9 * Runtime.getRuntime().availableProcessors();
        return Math.max(0, (others - othersBefore) / TICKS_PER_SECOND / seconds);
    }

    private long othersTicks() {
        try {
            return busyTicks(Files.readAllLines(MACHINE), countsStolen) - ownTicks(Files.readString(SELF));
        } catch (IOException notLinux) {
            return -1;
        }
    }

    /** User, nice, system, irq, softirq and, if it counts, steal; not idle and iowait. */
    static long busyTicks(List<String> stat, boolean countsStolen) {
        String[] fields = stat.get(0).trim().split(" +", -1);
        long busy = 0;
        for (int i : countsStolen ? new int[] {1, 2, 3, 6, 7, 8} : new int[] {1, 2, 3, 6, 7}) {
            busy += i < fields.length ? Long.parseLong(fields[i]) : 0;
        }
        return busy;
    }

    /** User and system time. The name of the program, in parentheses, may hold anything. */
    static long ownTicks(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }
}

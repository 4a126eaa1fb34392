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

    private final long othersBefore;
    private final long startNanos;

    private Disturbance(long others, long nanos) {
        othersBefore = others;
        startNanos = nanos;
    }

    /** Starts to watch. */
    static Disturbance watch() {
        return new Disturbance(othersTicks(), System.nanoTime());
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

    private static long othersTicks() {
        try {
            return busyTicks(Files.readAllLines(MACHINE)) - ownTicks(Files.readString(SELF));
        } catch (IOException notLinux) {
            return -1;
        }
    }

    /** User, nice, system, irq, softirq and steal; not idle and iowait. */
    static long busyTicks(List<String> stat) {
        String[] fields = stat.get(0).trim().split(" +", -1);
        long busy = 0;
        for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
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

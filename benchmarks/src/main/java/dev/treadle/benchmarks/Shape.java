// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

/** How many processes each workload has: the same for every peer, whatever the size of a run. */
public final class Shape {
    /** Pairs of pingpong-pairs. */
    public static final int PAIRS = 1_000;

    /** Producers of fanin. */
    public static final int PRODUCERS = 100;

    /** Receivers of fjthrow. */
    public static final int RECEIVERS = 60;

    /** Processes of fjcreate that are alive at once, at the most. */
    public static final int ALIVE_MAX = 10_000;

    /** Processes of the ring. */
    public static final int RING = 1_000;

    /** Processes of big. */
    public static final int BIG = 120;

    /** Creatures of chameneos. */
    public static final int CREATURES = 100;

    /** Children of each inner node of skynet. */
    public static final int FAN_OUT = 10;

    /** Processes of command-sync and command-async. */
    public static final int COMMANDERS = 1_000;

    /** Threads of the executor that completes the commands of command-async. */
    public static final int COMMAND_THREADS = 2;

    /** Processes of yield-many. */
    public static final int YIELDERS = 200;

    /** Longest sleep of timers. */
    public static final int SLEEP_MILLIS_MAX = 100;

    /** Processes of fairness that always want another turn. */
    public static final int HOGS = 4;

    /**
     * How many messages a process that only sends puts out in one turn, where a system has turns. Long enough to cost
     * nothing, short enough to let others run: a few ten microseconds.
     */
    public static final int SENDS_PER_TURN = 1_000;

    private Shape() {}

    /** Returns each one's share of a size, which must divide without a rest so that the result can be checked. */
    public static int share(int size, int count) {
        if (size <= 0 || size % count != 0) {
            throw new IllegalArgumentException("size was " + size + ", must be a multiple of " + count
                    + ": each of the " + count + " processes does as much");
        }
        return size / count;
    }

    /** Returns how many leaves a skynet of so many processes has. */
    public static int skynetLeaves(int processes) {
        int leaves = 1;
        int all = 1;
        while (all < processes) {
            leaves *= FAN_OUT;
            all += leaves;
        }
        if (all != processes) {
            throw new IllegalArgumentException("size was " + processes
                    + ", must be 1, 11, 111, ...: the nodes of a full tree with fan-out " + FAN_OUT);
        }
        return leaves;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The workloads: the same work for every peer. */
@SuppressWarnings("ImmutableEnumChecker") // what runs them has no state
public enum Workload {
    /** Two processes, one ball. */
    PINGPONG("pingpong", "two processes, one ball to and fro", "message", 2_000_000, 400_000, timed(Peer::pingpong)),
    /** Many pairs. */
    PINGPONG_PAIRS(
            "pingpong-pairs",
            "1,000 pairs, each with a ball",
            "message",
            4_000_000,
            1_000_000,
            timed(Peer::pingpongPairs)),
    /** One producer, one counter. */
    COUNTING(
            "counting",
            "one process sends increments to a counter",
            "message",
            5_000_000,
            1_000_000,
            timed(Peer::counting)),
    /** Many producers, one consumer. */
    FANIN("fanin", "100 processes send to one, order checked", "message", 5_000_000, 1_000_000, timed(Peer::fanin)),
    /** One sender, many receivers. */
    FJTHROW("fjthrow", "one process sends to 60, which compute", "message", 6_000_000, 1_200_000, timed(Peer::fjthrow)),
    /** Create and end. */
    FJCREATE(
            "fjcreate",
            "created, gets one message, computes, ends",
            "process",
            1_000_000,
            200_000,
            timed(Peer::fjcreate)),
    /** One token, many processes. */
    RING("ring", "1,000 processes pass one token round", "hop", 2_000_000, 400_000, timed(Peer::ring)),
    /** Many to many. */
    BIG("big", "120 processes ping each other at random", "message", 4_800_000, 960_000, timed(Peer::big)),
    /** One bottleneck. */
    CHAMENEOS("chameneos", "100 creatures meet in one mall", "meeting", 200_000, 100_000, timed(Peer::chameneos)),
    /** A tree. */
    SKYNET("skynet", "a tree of processes, the sum comes back up", "process", 1_111_111, 111_111, timed(Peer::skynet)),
    /** Commands answered on the spot. */
    COMMAND_SYNC(
            "command-sync",
            "1,000 processes, commands answered on the spot",
            "command",
            2_000_000,
            1_000_000,
            timed(Peer::commandSync)),
    /** Commands answered by another thread. */
    COMMAND_ASYNC(
            "command-async",
            "1,000 processes, commands answered by two threads",
            "command",
            1_000_000,
            400_000,
            Workload::commandAsync),
    /** Turns without messages. */
    YIELD_MANY("yield-many", "200 processes give up their turn", "turn", 2_000_000, 1_000_000, timed(Peer::yieldMany)),
    /** Sleeps. */
    TIMERS("timers", "each process sleeps 1 to 100 ms once", "timer", 100_000, 100_000, Workload::timers),
    /** Memory. */
    IDLE_MEMORY("idle-memory", "heap of an idle process", "process", 1_000_000, 200_000, Workload::idleMemory) {
        @Override
        public List<String> figures() {
            return List.of("bytes");
        }

        @Override
        public boolean isMeasuredOnce() {
            return true;
        }
    },
    /** Latency. */
    WAKE_LATENCY("wake-latency", "from send to turn, idle, each 1 ms", "send", 5_000, 1_500, Workload::wakeLatency) {
        @Override
        public List<String> figures() {
            return List.of("p50 us", "p99 us", "p99.9 us");
        }

        @Override
        public boolean isMostlyAsleep() {
            return true;
        }
    },
    /** Latency beside others that want all processors. */
    WAKE_LOADED(
            "wake-loaded", "from send to turn, each 1 ms, behind 4 hogs", "send", 2_000, 500, Workload::wakeLoaded) {
        @Override
        public List<String> figures() {
            return WAKE_LATENCY.figures();
        }
    },
    /** Starvation. */
    FAIRNESS("fairness", "until the last of 1,000 ran, behind 4 hogs", "crowd", 1_000, 1_000, Workload::fairness) {
        @Override
        public List<String> figures() {
            return List.of("ms");
        }
    };

    /** The ones that a quick run takes if none are named. */
    public static final List<Workload> QUICK = List.of(PINGPONG, PINGPONG_PAIRS, COUNTING, FJCREATE, BIG);

    /** A turn that does not come in this time, though nobody else wants one, never will. */
    private static final long LOST_MILLIS = 30_000;

    private static final long STARVED_MILLIS = Long.getLong("treadle.bench.starved", 5_000);

    private final String label;
    private final String summary;
    private final String operation;
    private final int size;
    private final int quickSize;
    private final Body body;

    Workload(String label, String summary, String operation, int size, int quickSize, Body body) {
        this.label = label;
        this.summary = summary;
        this.operation = operation;
        this.size = size;
        this.quickSize = quickSize;
        this.body = body;
    }

    /** Returns the name as users write it. */
    public String label() {
        return label;
    }

    /** Returns what happens, in a few words. */
    public String summary() {
        return summary;
    }

    /** Returns what one operation is. */
    public String operation() {
        return operation;
    }

    /** Returns how many operations a full run has. */
    public int size() {
        return size;
    }

    /** Returns how many operations an iteration of a quick run has. */
    public int quickSize() {
        return quickSize;
    }

    /** Returns the names of the figures that a run gives, the one that is compared first. Less is better for all. */
    public List<String> figures() {
        return List.of("ns");
    }

    /** Returns whether a second measurement in the same JVM would say nothing new. */
    public boolean isMeasuredOnce() {
        return false;
    }

    /** Returns whether the processors sleep most of the time, and wake for a moment. */
    public boolean isMostlyAsleep() {
        return false;
    }

    /** Returns the workload of that name. */
    public static Optional<Workload> of(String label) {
        return Arrays.stream(values())
                .filter(workload -> workload.label.equals(label))
                .findFirst();
    }

    /**
     * Does the workload once, on a thread outside of the system.
     *
     * @return the {@link #figures}
     * @throws StarvedException if some processes did not get to run at all
     */
    public double[] run(Peer peer, int size) throws Exception {
        return body.run(peer, size);
    }

    private static Body timed(Task task) {
        return (peer, size) -> {
            long start = System.nanoTime();
            task.run(peer, size);
            return new double[] {(double) (System.nanoTime() - start) / size};
        };
    }

    private static double[] commandAsync(Peer peer, int size) throws Exception {
        ExecutorService answerer = Executors.newFixedThreadPool(Shape.COMMAND_THREADS);
        try {
            return timed((p, n) -> p.commandAsync(n, answerer)).run(peer, size);
        } finally {
            answerer.shutdown();
        }
    }

    private static double[] timers(Peer peer, int size) throws Exception {
        var sleeps = new Sleeps(size);
        return timed((p, n) -> {
                    p.timers(n, sleeps);
                    sleeps.check();
                })
                .run(peer, size);
    }

    private static double[] idleMemory(Peer peer, int size) throws Exception {
        long before = HeapUse.afterFullCollection();
        Peer.Crowd crowd = peer.crowd(size);
        long after = HeapUse.afterFullCollection();
        crowd.tellAll(); // all still there
        return new double[] {(double) (after - before) / size};
    }

    private static double[] wakeLatency(Peer peer, int size) throws Exception {
        var wakes = new Wakes(size);
        return latencies(wakes.run(peer.sleeper(wakes), LOST_MILLIS));
    }

    private static double[] wakeLoaded(Peer peer, int size) throws Exception {
        var wakes = new Wakes(size);
        Runnable send = peer.sleeper(wakes);
        var hogs = new Fairness(0);
        peer.fairness(hogs);
        return latencies(hogs.beside(() -> wakes.run(send, STARVED_MILLIS)));
    }

    private static double[] latencies(long[] sorted) {
        return new double[] {micros(sorted, 0.5), micros(sorted, 0.99), micros(sorted, 0.999)};
    }

    private static double micros(long[] sorted, double quantile) {
        return sorted[(int) Math.min(sorted.length - 1, sorted.length * quantile)] / 1e3;
    }

    private static double[] fairness(Peer peer, int size) throws Exception {
        var fairness = new Fairness(size);
        double millis = fairness.millis(peer.fairness(fairness), STARVED_MILLIS);
        if (millis < 0) {
            throw new StarvedException((int) -millis, size, STARVED_MILLIS);
        }
        return new double[] {millis};
    }

    private interface Task {
        void run(Peer peer, int size) throws Exception;
    }

    private interface Body {
        double[] run(Peer peer, int size) throws Exception;
    }
}

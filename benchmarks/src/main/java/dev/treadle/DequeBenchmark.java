// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.queue.GlobalQueue;
import dev.treadle.queue.WorkStealingDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The work queues, by one thread: what an operation costs when nobody is in the way. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DequeBenchmark {
    private static final Object ITEM = new Object();
    private static final int BATCH_MAX = 16;

    private final WorkStealingDeque<Object> mine = new WorkStealingDeque<>();
    private final WorkStealingDeque<Object> other = new WorkStealingDeque<>();
    private final GlobalQueue<Object> global = new GlobalQueue<>();

    /** The owner's way. */
    @Benchmark
    public @Nullable Object dequePushPop() {
        mine.push(ITEM);
        return mine.pop();
    }

    /** The owner's way with a hundred below: no compare-and-set is needed. */
    @Benchmark
    public @Nullable Object dequePushPopAboveOthers() {
        while (mine.size() < 100) {
            mine.push(ITEM);
        }
        mine.push(ITEM);
        return mine.pop();
    }

    /** The thief's way. */
    @Benchmark
    public @Nullable Object dequePushSteal() {
        mine.push(ITEM);
        return mine.steal();
    }

    /** A thief that takes half of eight, and its owner's pops. */
    @Benchmark
    public int dequeStealHalf() {
        for (int i = 0; i < 8; i++) {
            mine.push(ITEM);
        }
        int taken = other.isEmpty() ? 0 : 1;
        taken += mine.stealHalfInto(other) == null ? 0 : 1;
        while (other.pop() != null) {
            taken++;
        }
        while (mine.pop() != null) {
            taken++;
        }
        return taken;
    }

    /** What comes from outside. */
    @Benchmark
    public @Nullable Object globalPushPop() {
        global.push(ITEM);
        return global.pop();
    }

    /** Seventeen from outside, taken at once. */
    @Benchmark
    public int globalPopBatch() {
        for (int i = 0; i <= BATCH_MAX; i++) {
            global.push(ITEM);
        }
        int taken = global.popBatchInto(mine, BATCH_MAX) == null ? 0 : 1;
        while (mine.pop() != null) {
            taken++;
        }
        return taken;
    }
}

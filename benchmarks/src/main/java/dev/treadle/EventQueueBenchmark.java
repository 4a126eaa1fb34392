// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The mailbox and the state word, by one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class EventQueueBenchmark {
    private static final int BUDGET = 64;

    private final EventQueue queue = new EventQueue();
    private final EventBatch batch = new EventBatch(BUDGET);
    private int word = ProcessState.IDLE;

    /** Makes a queue whose process sleeps. */
    public EventQueueBenchmark() {
        if (!queue.open() || !queue.sleep(ProcessState.IDLE)) {
            throw new IllegalStateException("a new queue opens, and sleeps");
        }
    }

    /** One message wakes a process, which takes it and sleeps again: one turn. */
    @Benchmark
    public boolean sendDrainSleep() {
        EventStack.Push push = queue.pushMessage(Message.of("topic", null), Integer.MAX_VALUE);
        Kill kill = queue.take(batch, BUDGET);
        batch.clear();
        return queue.sleep(ProcessState.IDLE) && kill == null && push == EventStack.Push.WAKE;
    }

    /** Eight messages, taken at once. */
    @Benchmark
    public boolean sendEightDrainSleep() {
        boolean woken = false;
        for (int i = 0; i < 8; i++) {
            woken |= queue.pushMessage(Message.of("topic", null), Integer.MAX_VALUE) == EventStack.Push.WAKE;
        }
        Kill kill = queue.take(batch, BUDGET);
        batch.clear();
        return queue.sleep(ProcessState.IDLE) && kill == null && woken;
    }

    /** The arithmetic of the word alone: a message wakes, is taken, and the process sleeps. */
    @Benchmark
    public int stateTransitions() {
        int woken = ProcessState.afterMessage(word);
        int taken = ProcessState.afterTaking(woken, 1, false);
        word = ProcessState.mustStayReady(taken, ProcessState.IDLE)
                ? taken
                : ProcessState.withState(taken, ProcessState.IDLE);
        return ProcessState.wakes(word, woken) ? 1 : 0;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;

/** What the machine and the JVM take for what no scheduler can do without: the lower bounds beside our figures. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MachineBenchmark {
    private static final VarHandle WORD =
            fieldVarHandle(MethodHandles.lookup(), "word", VarHandle.class, Own.class, int.class);
    private static final VarHandle NODE =
            fieldVarHandle(MethodHandles.lookup(), "node", VarHandle.class, Own.class, Object.class);

    /** What one thread has for itself. */
    @State(Scope.Thread)
    public static class Own {
        volatile int word;
        volatile @Nullable Object node;

        private final IntUnaryOperator[] calls = {x -> x + 1, x -> x + 2, x -> x + 3};
        private int turn;

        /** One that the compiler cannot know, of three classes. */
        IntUnaryOperator nextCall() {
            turn = turn == calls.length - 1 ? 0 : turn + 1;
            return calls[turn];
        }
    }

    /** A compare-and-set of a number that no other thread has. */
    @Benchmark
    public boolean compareAndSetOfNumber(Own own) {
        int before = own.word;
        return WORD.compareAndSet(own, before, before + 1);
    }

    /** A new object without fields, put in a field by compare-and-set, with what the collector wants of that: a bare send. */
    @Benchmark
    public boolean compareAndSetOfNewObject(Own own) {
        return NODE.compareAndSet(own, own.node, new Object());
    }

    /** A full fence with nothing before it. */
    @Benchmark
    public void fullFence() {
        VarHandle.fullFence();
    }

    /** A call of an interface's method that has three implementations. */
    @Benchmark
    public int callOfOneOfThree(Own own) {
        return own.nextCall().applyAsInt(1);
    }

    /** A look at the clock. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }

    /** One word that two threads write in turn. */
    @State(Scope.Group)
    public static class Shared {
        volatile boolean isRight;
    }

    /** A cache line to the other processor and back: this is the way there. */
    @Benchmark
    @Group("lineRoundTrip")
    public void left(Shared shared, Control control) {
        while (shared.isRight && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
        shared.isRight = true;
    }

    /** The way back. */
    @Benchmark
    @Group("lineRoundTrip")
    public void right(Shared shared, Control control) {
        while (!shared.isRight && !control.stopMeasurement) {
            Thread.onSpinWait();
        }
        shared.isRight = false;
    }

    /** A thread that answers each wake-up with one. */
    @State(Scope.Thread)
    public static class Sleeper {
        private volatile @Nullable Thread caller;
        private volatile boolean isOver;
        private final Thread thread = new Thread(this::answer);

        /** Starts it. */
        @Setup(Level.Trial)
        public void start() {
            thread.start();
        }

        /** Ends it. */
        @TearDown(Level.Trial)
        public void end() throws InterruptedException {
            isOver = true;
            LockSupport.unpark(thread);
            thread.join();
        }

        private void answer() {
            while (!isOver) {
                Thread waits = caller;
                if (waits == null) {
                    LockSupport.park(this);
                } else {
                    caller = null;
                    LockSupport.unpark(waits);
                }
            }
        }

        void call() {
            caller = Thread.currentThread();
            LockSupport.unpark(thread);
            while (caller != null) {
                LockSupport.park(this);
            }
        }
    }

    /** Two threads wake each other, each asleep by then. */
    @Benchmark
    public void parkRoundTrip(Sleeper sleeper) {
        sleeper.call();
    }
}

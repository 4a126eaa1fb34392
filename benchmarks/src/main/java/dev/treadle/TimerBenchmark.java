// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.timer.TimerNode;
import dev.treadle.timer.TimerWheel;
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

/** Timers that never fire, as most timeouts do not. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class TimerBenchmark {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int OTHERS = 100_000;

    private final TimerWheel wheel = new TimerWheel(0, (node, failure) -> {});
    private final TimerNode node = new Silent();
    private long deadline = SECOND;

    /** Makes a wheel with many timers in it. */
    public TimerBenchmark() {
        for (int i = 0; i < OTHERS; i++) {
            wheel.start(new Silent(), SECOND + i * 1_000_003L);
        }
    }

    /** Started, and cancelled before it is due. */
    @Benchmark
    public boolean startCancel() {
        deadline = deadline > 100 * SECOND ? SECOND : deadline + 7_919_777;
        boolean wakes = wheel.start(node, deadline);
        return wheel.cancel(node) && !wakes;
    }

    private static final class Silent extends TimerNode {
        @Override
        protected void fire() {}
    }
}

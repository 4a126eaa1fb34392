// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.timer.TimerNode;
import dev.treadle.timer.TimerWheel;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Timers that are cancelled before they fire, as most timeouts are, and timers that fire. All figures are for one timer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class TimerBenchmark {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int OTHERS = 100_000;
    private static final int MILLION = 1_000_000;
    private static final int FIRING = 100_000;

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

    /** A million, all in the wheel at once, then all cancelled. */
    @Benchmark
    @OperationsPerInvocation(MILLION)
    public int aMillionStartedAndCancelled(Million million) {
        int cancelled = 0;
        for (int i = 0; i < MILLION; i++) {
            wheel.start(million.nodes[i], 100 * SECOND + i * 599_999L); // over ten minutes
        }
        for (TimerNode each : million.nodes) {
            cancelled += wheel.cancel(each) ? 1 : 0;
        }
        return cancelled;
    }

    /** A hundred thousand that come due within ten seconds, tick by tick. */
    @Benchmark
    @OperationsPerInvocation(FIRING)
    public int aHundredThousandThatFire(Firing firing) {
        return firing.fireAll();
    }

    /** Timers, and nothing else. */
    @State(Scope.Thread)
    public static class Million {
        private final TimerNode[] nodes = new TimerNode[MILLION];

        /** Makes them once: what is measured is the wheel. */
        public Million() {
            Arrays.setAll(nodes, i -> new Silent());
        }
    }

    /** A wheel of its own, whose time goes on from one invocation to the next. */
    @State(Scope.Thread)
    public static class Firing {
        private final TimerWheel wheel = new TimerWheel(0, (node, failure) -> {});
        private final TimerNode[] nodes = new TimerNode[FIRING];
        private long now;

        /** Makes the timers once. */
        public Firing() {
            Arrays.setAll(nodes, i -> new Silent());
        }

        int fireAll() {
            long spread = 10 * SECOND / FIRING;
            for (int i = 0; i < FIRING; i++) {
                wheel.start(nodes[i], now + i * spread);
            }
            int fired = 0;
            long end = now + 11 * SECOND;
            while (now < end) {
                now += TimerWheel.TICK_NANOS_DEFAULT;
                fired += wheel.advance(now);
            }
            return fired;
        }
    }

    private static final class Silent extends TimerNode {
        @Override
        protected void fire() {}
    }
}

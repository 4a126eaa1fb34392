// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Delivery;
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

/** Whole turns, by one thread that steps the scheduler by hand: no other thread, no parking. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class StepBenchmark {
    private record Now() implements Command {}

    private static final Command NOW = new Now();

    private final SteppedScheduler again = stepped();
    private final SteppedScheduler commands = stepped();
    private final SteppedScheduler messages = stepped();
    private final ProcessRef receiver;

    /** Makes three schedulers, each with one process. */
    public StepBenchmark() {
        receiver = messages.scheduler().submit(Process.of((events, out) -> {}), "main");
        messages.runAll();
        again.scheduler().submit(Process.of((events, out) -> out.again()), "main");
        commands.scheduler().submit(Process.of((events, out) -> out.yield(NOW, 1)), "main");
    }

    private static SteppedScheduler stepped() {
        var registry = new CommandRegistry().register(Now.class, (command, receiver) -> receiver.complete(null));
        return Scheduler.builder().workers(1).handlers(registry).stepped();
    }

    /** A message from outside, and the turn that it causes. */
    @Benchmark
    public boolean sendAndStep() {
        Delivery delivery = receiver.send("topic", null);
        return messages.runOne(0) && delivery.isDelivered();
    }

    /** A turn without events. */
    @Benchmark
    public boolean stepAgain() {
        return again.runOne(0);
    }

    /** A command that is answered on the spot, and the turn that its completion causes. */
    @Benchmark
    public boolean yieldOnTheSpot() {
        return commands.runOne(0);
    }
}

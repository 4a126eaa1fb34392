// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.CallLimit;
import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands that block do not hold up those who answer pings. */
class BlockingLoadTest {
    private static final int ROUNDS = Integer.getInteger("stress.rounds", 5);

    /** How many block at once: with more of them the processors have more threads to wake at the same moment. */
    private static final int LIMIT = Integer.getInteger("stress.limit", 64);

    private static final int PINGS = 1_000;
    private static final long PACE_NANOS = 1_000_000;
    private static final int CALLERS = 10_000;
    private static final int CALLS = 10;
    private static final Block CALL = new Block(Duration.ofMillis(5));

    /** Blocks for a while; the real thing is a call to a slow driver. */
    private record Block(Duration duration) implements Command {}

    private record Ping(long sentNanos, CompletableFuture<Long> answer) {}

    private static Object block(Block block) throws InterruptedException {
        return new CountDownLatch(1).await(block.duration().toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Yields so many calls, one after the other. */
    private static final class Caller implements Process {
        private final Block block;
        private int left;

        Caller(Block block, int calls) {
            this.block = block;
            left = calls;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Completion completion) {
                    completion.data(Boolean.class);
                    left--;
                }
            }
            if (left == 0) {
                out.done();
            } else {
                out.yield(block, left);
            }
        }
    }

    private static Process ponger() {
        return Process.of((events, out) -> {
            for (Event event : events) {
                if (event instanceof Message message) {
                    Ping ping = message.payload(Ping.class);
                    ping.answer().complete(System.nanoTime() - ping.sentNanos());
                }
            }
        });
    }

    private static List<ProcessRef> pongers(Scheduler scheduler, int count) {
        var pongers = new ArrayList<ProcessRef>();
        for (int i = 0; i < count; i++) {
            pongers.add(scheduler.submit(ponger(), "main"));
        }
        return pongers;
    }

    /**
     * Pings at a steady pace, one each millisecond, without waiting for the answers, and returns how long the slowest of a
     * hundred takes: from just before it is sent to when it is handled.
     */
    private static long p99Nanos(List<ProcessRef> pongers, SplittableRandom random) throws Exception {
        var answers = new ArrayList<CompletableFuture<Long>>(PINGS);
        long start = System.nanoTime();
        for (int i = 0; i < PINGS; i++) {
            long due = start + i * PACE_NANOS;
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            var ping = new Ping(System.nanoTime(), new CompletableFuture<>());
            answers.add(ping.answer());
            pongers.get(random.nextInt(pongers.size())).send("ping", ping);
        }
        long[] nanos = new long[PINGS];
        for (int i = 0; i < PINGS; i++) {
            nanos[i] = answers.get(i).get(30, TimeUnit.SECONDS);
        }
        Arrays.sort(nanos);
        return nanos[PINGS * 99 / 100];
    }

    /** Every slot is taken for good, and more wait. Catches a handler that runs calls on the workers. */
    @Test
    void pingsAreAnsweredWhileEverySlotIsTaken() throws Exception {
        var limit = CallLimit.of(4, 100);
        var registry = new CommandRegistry()
                .registerBlocking(Block.class, 8, BlockingLoadTest::block)
                .registerBlocking(Hold.class, limit, (hold, call) -> block(new Block(Duration.ofMinutes(5))));
        try (Scheduler scheduler = Scheduler.builder()
                .workers(1)
                .handlers(registry)
                .shutdownTimeout(Duration.ZERO)
                .start()) {
            for (int i = 0; i < 20; i++) {
                scheduler.submit(new Caller(new Block(Duration.ofMinutes(5)), 1), "main");
                LoneCommand.start(scheduler, new Hold());
            }
            Soon.until(() -> limit.running() == 4 && limit.waiting() == 16);
            for (ProcessRef ponger : pongers(scheduler, 100)) {
                var ping = new Ping(System.nanoTime(), new CompletableFuture<>());
                ponger.send("ping", ping);
                assertThat(ping.answer().get(30, TimeUnit.SECONDS)).isPositive();
            }
        }
    }

    private record Hold() implements Command {}

    /**
     * Goal: 10,000 processes that block ten times for 5 ms each do not slow 1,000 others down: the 99th percentile of their
     * answers stays within twice of what it is without. Method: pings at a steady pace in windows of a second, on one
     * scheduler in one JVM; as many windows as the load lasts, then as many without it, and again. The medians over all
     * windows count, since other programs use the machine too. All figures are printed. The test allows as much as one call
     * more: that is what a call on a worker would cost.
     */
    @Test
    @Tag("stress")
    @SuppressWarnings("SystemOut")
    void pingsAreAnsweredAsFastBesideTenThousandThatBlock() throws Exception {
        var random = new SplittableRandom(1);
        var registry = new CommandRegistry().registerBlocking(Block.class, LIMIT, BlockingLoadTest::block);
        try (Scheduler scheduler = Scheduler.builder().handlers(registry).start()) {
            List<ProcessRef> pongers = pongers(scheduler, 1_000);
            var quiet = new ArrayList<Long>();
            var loaded = new ArrayList<Long>();
            for (int round = 0; round <= ROUNDS; round++) {
                List<Long> with = p99WithLoad(scheduler, pongers, random);
                var without = new ArrayList<Long>();
                for (int i = 0; i < with.size(); i++) {
                    without.add(p99Nanos(pongers, random));
                }
                System.out.printf(
                        "round %d: p99 of pings %,d us without blocking load, %,d us with it, medians of %d windows%s%n",
                        round,
                        median(without) / 1_000,
                        median(with) / 1_000,
                        with.size(),
                        round == 0 ? " (to warm up)" : "");
                if (round > 0) {
                    quiet.addAll(without);
                    loaded.addAll(with);
                }
            }
            double ratio = (double) median(loaded) / median(quiet);
            System.out.printf(
                    "p99 of pings: %,d us without blocking load, %,d us with it (%d at once), ratio %.2f, medians of %d windows"
                            + " (Java %d, load of the machine %.1f)%n",
                    median(quiet) / 1_000,
                    median(loaded) / 1_000,
                    LIMIT,
                    ratio,
                    quiet.size(),
                    Runtime.version().feature(),
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
            assertThat(median(loaded))
                    .as("ratio %.2f", ratio)
                    .isLessThan(2 * median(quiet) + CALL.duration().toNanos());
        }
    }

    /** Windows of pings for as long as the load lasts; the last, in which it ends, does not count. */
    private static List<Long> p99WithLoad(Scheduler scheduler, List<ProcessRef> pongers, SplittableRandom random)
            throws Exception {
        var callers = new ArrayList<ProcessRef>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(scheduler.submit(new Caller(CALL, CALLS), "main"));
        }
        var windows = new ArrayList<Long>();
        long p99 = p99Nanos(pongers, random);
        while (callers.stream().anyMatch(caller -> caller.inspect().isPresent())) {
            windows.add(p99);
            p99 = p99Nanos(pongers, random);
        }
        for (ProcessRef caller : callers) {
            caller.result().get(120, TimeUnit.SECONDS);
        }
        assertThat(windows).as("the load lasts for some windows").isNotEmpty();
        return windows;
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}

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
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands that block do not hold up those who answer pings. */
class BlockingLoadTest {
    private static final int ROUNDS = Integer.getInteger("stress.rounds", 5);

    /** How many block at once: with more of them the processors have more threads to wake at the same moment. */
    private static final int LIMIT = Integer.getInteger("stress.limit", 16);

    private static final int PINGS = 500;
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

    /** How far the calls of all processes are. */
    private record Progress(AtomicInteger yielded, AtomicInteger answered) {
        Progress() {
            this(new AtomicInteger(), new AtomicInteger());
        }
    }

    /** Yields one call for each message, so many in all. */
    private static final class Caller implements Process {
        private final Block block;
        private final Progress progress;
        private int left;

        Caller(Block block, int calls, Progress progress) {
            this.block = block;
            this.progress = progress;
            left = calls;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message) {
                    out.yield(block, left);
                    progress.yielded.incrementAndGet();
                } else if (event instanceof Completion completion) {
                    completion.data(Boolean.class);
                    left--;
                    progress.answered.incrementAndGet();
                }
            }
            if (left == 0) {
                out.done();
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
                scheduler
                        .submit(new Caller(new Block(Duration.ofMinutes(5)), 1, new Progress()), "main")
                        .send("call", "");
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
     * answers stays within twice of what it is without. Method: pings at a steady pace in windows of half a second, on one
     * scheduler in one JVM: one before each of the ten calls, one beside as many bare threads that sleep as long and do
     * nothing else, one while all processes make the call. Windows that follow each other are compared, and the median of the
     * ratios counts: other programs use the machine too, for tens of seconds at a time. All figures are printed. The bare
     * threads tell what part of it is the machine's, which has that many threads more to wake. The test allows as much as
     * one call more: that is what a call on a worker would cost.
     */
    @Test
    @Tag("stress")
    @SuppressWarnings("SystemOut")
    void pingsAreAnsweredAsFastBesideTenThousandThatBlock() throws Exception {
        var random = new SplittableRandom(1);
        var registry = new CommandRegistry().registerBlocking(Block.class, LIMIT, BlockingLoadTest::block);
        try (Scheduler scheduler = Scheduler.builder().handlers(registry).start()) {
            List<ProcessRef> pongers = pongers(scheduler, 1_000);
            windows(scheduler, pongers, random); // warms up
            var windows = new ArrayList<Window>();
            for (int round = 0; round < ROUNDS; round++) {
                windows.addAll(windows(scheduler, pongers, random));
            }
            double ratio = quantile(windows, Window::ratio, 0.5);
            double quiet = quantile(windows, Window::quietNanos, 0.5);
            double loaded = quantile(windows, Window::loadedNanos, 0.5);
            System.out.printf(
                    "p99 of pings: %,.0f us without load, %,.0f us beside %d bare threads, %,.0f us beside %d calls at once"
                            + " (medians of %d windows each, Java %d, load of the machine %.1f)%n",
                    quiet / 1_000,
                    quantile(windows, Window::bareNanos, 0.5) / 1_000,
                    LIMIT,
                    loaded / 1_000,
                    LIMIT,
                    windows.size(),
                    Runtime.version().feature(),
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
            System.out.println(
                    "calls / without load: " + quartiles(windows, Window::ratio) + "; bare threads / without: "
                            + quartiles(windows, Window::bareRatio) + "; calls / bare threads: "
                            + quartiles(windows, Window::ratioToBare));
            assertThat(loaded)
                    .as("ratio %.2f", ratio)
                    .isLessThan(2 * quiet + CALL.duration().toNanos());
        }
    }

    /** The slowest of a hundred pings: in a window without load, in the next, beside bare threads, and in one with the load. */
    private record Window(double quietNanos, double bareNanos, double loadedNanos) {
        double ratio() {
            return loadedNanos / quietNanos;
        }

        double bareRatio() {
            return bareNanos / quietNanos;
        }

        double ratioToBare() {
            return loadedNanos / bareNanos;
        }
    }

    /** Threads of the kind that blocking handlers run on, which sleep again and again, for as long as a call takes. */
    private static final class BareThreads {
        private final ExecutorService threads;

        @SuppressWarnings("FutureReturnValueIgnored") // they end when they are interrupted
        BareThreads() throws ReflectiveOperationException {
            threads = Runtime.version().feature() < 21
                    ? Executors.newCachedThreadPool()
                    : (ExecutorService) Executors.class
                            .getMethod("newVirtualThreadPerTaskExecutor")
                            .invoke(null);
            for (int i = 0; i < LIMIT; i++) {
                threads.submit(() -> {
                    while (true) {
                        block(CALL);
                    }
                });
            }
        }

        void stop() throws InterruptedException {
            threads.shutdownNow();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Three windows for each call that all make: before they make it, beside bare threads, and while they wait for it. */
    private static List<Window> windows(Scheduler scheduler, List<ProcessRef> pongers, SplittableRandom random)
            throws Exception {
        var progress = new Progress();
        var callers = new ArrayList<ProcessRef>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(scheduler.submit(new Caller(CALL, CALLS, progress), "main"));
        }
        var windows = new ArrayList<Window>();
        for (int call = 1; call <= CALLS; call++) {
            int calls = call * CALLERS;
            long quiet = p99Nanos(pongers, random);
            long bare;
            var threads = new BareThreads();
            try {
                bare = p99Nanos(pongers, random);
            } finally {
                threads.stop();
            }
            callers.forEach(caller -> caller.send("call", ""));
            Soon.until(() -> progress.yielded.get() == calls);
            long loaded = p99Nanos(pongers, random);
            if (progress.answered.get() < calls) {
                windows.add(new Window(quiet, bare, loaded));
            }
            Soon.until(() -> progress.answered.get() == calls);
        }
        assertThat(windows).as("windows that ended before the load did").isNotEmpty();
        return windows;
    }

    private static String quartiles(List<Window> windows, ToDoubleFunction<Window> figure) {
        return String.format(
                Locale.ROOT,
                "%.2f, quartiles %.2f to %.2f",
                quantile(windows, figure, 0.5),
                quantile(windows, figure, 0.25),
                quantile(windows, figure, 0.75));
    }

    private static double quantile(List<Window> windows, ToDoubleFunction<Window> figure, double share) {
        double[] sorted = windows.stream().mapToDouble(figure).sorted().toArray();
        return sorted[(int) (share * (sorted.length - 1))];
    }
}

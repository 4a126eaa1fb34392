// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessInfo;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What it costs the workers that somebody looks (contract line V2): one worker, busy with ping-pong beside many idle
 * processes; windows of time in which another thread lists all processes again and again, and windows in which it sleeps,
 * in turn. The machine drifts, so each window is compared with the two beside it.
 */
public final class LookingCost {
    private static final String BALL = "ball";
    private static final int PAIRS = 500;
    private static final int WARMUP_WINDOWS = 40;

    private LookingCost() {}

    /**
     * The rate of steps while looking divided by that while not: quartiles over all windows.
     *
     * @param looks how many times all processes were listed
     */
    public record Result(double lower, double median, double upper, long looks) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "steps while looking / while not: median %.4f, quartiles %.4f to %.4f; listed %d times",
                    median,
                    lower,
                    upper,
                    looks);
        }
    }

    static void run(PrintWriter out) {
        out.println(
                "100,000 idle processes, 500 busy pairs, one worker, 200 windows of 50 ms with a look, as many without");
        out.flush();
        out.println(measure(100_000, Duration.ofMillis(50), 200));
        out.flush();
    }

    /** Measures so many windows of each kind. */
    static Result measure(int idle, Duration window, int windows) {
        try (Scheduler scheduler =
                Scheduler.builder().workers(1).shutdownTimeout(Duration.ZERO).start()) {
            for (int i = 0; i < idle; i++) {
                scheduler.submit(Process.of((events, stepOut) -> {}), "idle");
            }
            for (int i = 0; i < PAIRS; i++) {
                Pid other = scheduler.submit(new Player(null), "main").pid();
                scheduler.submit(new Player(other), "main");
            }
            var rates = new double[WARMUP_WINDOWS + 2 * windows + 1];
            long looks = 0;
            for (int i = 0; i < rates.length; i++) {
                long start = System.nanoTime();
                long stepsBefore = scheduler.stats().total().steps();
                looks += i % 2 == 1 ? look(scheduler, start, window) : rest(start, window);
                double seconds = (System.nanoTime() - start) / 1e9;
                rates[i] = (scheduler.stats().total().steps() - stepsBefore) / seconds;
            }
            var ratios = new double[windows];
            for (int i = 0; i < windows; i++) {
                int at = WARMUP_WINDOWS + 2 * i + 1;
                ratios[i] = 2 * rates[at] / (rates[at - 1] + rates[at + 1]);
            }
            Arrays.sort(ratios);
            return new Result(ratios[windows / 4], ratios[windows / 2], ratios[3 * windows / 4], looks);
        }
    }

    private static long look(Scheduler scheduler, long start, Duration window) {
        long looks = 0;
        while (System.nanoTime() - start < window.toNanos()) {
            long open = scheduler
                    .processes()
                    .filter(process -> process.state() != ProcessInfo.State.COMPLETE)
                    .count();
            looks += open > 0 ? 1 : 0;
        }
        return looks;
    }

    private static long rest(long start, Duration window) {
        for (long left = window.toNanos(); left > 0; left = window.toNanos() - (System.nanoTime() - start)) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
        }
        return 0;
    }

    private static final class Player implements Process {
        private final @Nullable Pid first;
        private @Nullable ProcessContext context;

        Player(@Nullable Pid first) {
            this.first = first;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (events.isEmpty() && first != null) {
                send(first);
            }
            for (Event event : events) {
                if (event instanceof Message message) {
                    Pid sender = message.sender();
                    if (sender != null) {
                        send(sender);
                    }
                }
            }
        }

        private void send(Pid target) {
            if (context != null) {
                context.send(target, BALL, null);
            }
        }
    }
}

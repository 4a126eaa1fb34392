// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * E1: a shutdown returns within the timeout plus one second, whatever user code does.
 *
 * <p>A machine that runs something else can make any one shutdown late. So each test tries a few times, and one that is in
 * time is enough: a shutdown that adds up too many waits is late each time.
 */
class ShutdownBoundTest {
    private static final int ATTEMPTS = 5;

    private final List<HeldUp> heldUp = new ArrayList<>();

    /** Answered by nobody. */
    private record Wait() implements Command {}

    /** Answered by a thread that blocks. */
    private record Block() implements Command {}

    @AfterEach
    void release() {
        heldUp.forEach(HeldUp::release);
    }

    private HeldUp newHeldUp() {
        var held = new HeldUp();
        heldUp.add(held);
        return held;
    }

    /** Makes a scheduler and its processes, shuts it down, and returns how long that took by the clock on the wall. */
    private static Duration timeOfShutdown(SchedulerBuilder builder, Consumer<Scheduler> processes, Duration timeout) {
        Scheduler scheduler = builder.start();
        processes.accept(scheduler);
        long start = System.nanoTime();
        ShutdownReport report = scheduler.shutdown(timeout);
        var elapsed = Duration.ofNanos(System.nanoTime() - start);
        assertThat(report.stuck()).as("%s", report).isNotEmpty();
        assertThat(report.elapsed()).isLessThanOrEqualTo(elapsed);
        return elapsed;
    }

    private static void assertInTime(Duration timeout, Supplier<Duration> attempt) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS; i++) {
            Duration time = attempt.get();
            assertThat(time).as("the processes may use the timeout").isGreaterThanOrEqualTo(timeout);
            if (time.compareTo(timeout.plusSeconds(1)) <= 0) {
                return;
            }
            times.add(time);
        }
        assertThat(times)
                .as("times of shutdowns, of which one should be within %s and one second", timeout)
                .isEmpty();
    }

    @AtWorkers
    void e1_whenAStepLoopsForEver_thenItReturnsWithinTheTimeoutPlusOneSecond(int workers) {
        var timeout = Duration.ofMillis(100);
        assertInTime(timeout, () -> {
            HeldUp held = newHeldUp();
            Duration time = timeOfShutdown(
                    Scheduler.builder().workers(workers),
                    scheduler -> {
                        scheduler.submit(Process.of((events, out) -> held.loopForEver()), "main");
                        Soon.until(() -> held.entered.get() == 1);
                        for (int i = 0; i < 1_000; i++) {
                            scheduler.submit(ProbeProcess.deaf(), "main");
                        }
                    },
                    timeout);
            held.release();
            return time;
        });
    }

    @AtWorkers
    void e1_whenTheTimeoutIsZero_thenItReturnsWithinOneSecond(int workers) {
        assertInTime(Duration.ZERO, () -> {
            HeldUp held = newHeldUp();
            return timeOfShutdown(
                    Scheduler.builder().workers(workers),
                    scheduler -> {
                        scheduler.submit(Process.of((events, out) -> held.blockDeafly()), "main");
                        Soon.until(() -> held.entered.get() == 1);
                    },
                    Duration.ZERO);
        });
    }

    /**
     * Steps, closes, an action on cancel that a timer runs, a listener that the watchdog calls, and a blocking handler all
     * block at once, and are deaf to interruption.
     */
    @AtWorkers
    void e1_whenUserCodeBlocksWhereverItCan_thenItReturnsWithinTheTimeoutPlusOneSecond(int workers) {
        var timeout = Duration.ofMillis(100);
        assertInTime(timeout, () -> timeWithAllHeldUp(workers, timeout));
    }

    private Duration timeWithAllHeldUp(int workers, Duration timeout) {
        HeldUp steps = newHeldUp();
        HeldUp watchdog = newHeldUp();
        HeldUp timer = newHeldUp();
        HeldUp handler = newHeldUp();
        HeldUp closes = newHeldUp();
        var registry = new CommandRegistry()
                .register(Wait.class, (wait, receiver) -> receiver.onCancel(timer::blockDeafly))
                .registerBlocking(Block.class, block -> {
                    handler.blockDeafly();
                    return null;
                });
        SchedulerBuilder builder = Scheduler.builder()
                .workers(workers)
                .handlers(registry)
                .slowStepLimit(Duration.ofMillis(10))
                .listener(new SchedulerListener() {
                    @Override
                    public void onSlowStep(SlowStep step) {
                        watchdog.blockDeafly();
                    }
                });
        return timeOfShutdown(
                builder,
                scheduler -> {
                    scheduler.submit(
                            Process.of((events, out) -> {
                                out.yield(new Wait(), 1, Duration.ofMillis(1));
                                out.yield(new Block(), 2);
                            }),
                            "main");
                    Soon.until(() -> timer.entered.get() == 1 && handler.entered.get() == 1);
                    for (int i = 0; i < workers; i++) {
                        scheduler.submit(Process.of((events, out) -> steps.blockDeafly()), "main");
                    }
                    Soon.until(() -> steps.entered.get() == workers && watchdog.entered.get() == 1);
                    for (int i = 0; i < 10; i++) {
                        scheduler.submit(new ProbeProcess((context, events, out) -> {}, closes::blockDeafly), "main");
                    }
                },
                timeout);
    }

    @Test
    void e1_whenAListenerOfTheEndBlocks_thenItReturnsInTimeAndNamesTheProcess() {
        var timeout = Duration.ofMillis(100);
        assertInTime(timeout, () -> {
            HeldUp held = newHeldUp();
            return timeOfShutdown(
                    Scheduler.builder().workers(2).listener(new SchedulerListener() {
                        @Override
                        public void onComplete(ProcessExit exit) {
                            held.blockDeafly();
                        }
                    }),
                    scheduler -> {
                        scheduler.submit(ProbeProcess.deaf(), "main");
                        scheduler.submit(Process.of((events, out) -> out.again()), "main");
                    },
                    timeout);
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.CommandRegistry;
import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.SchedulerBuilder;
import dev.treadle.SchedulerListener;
import dev.treadle.SchedulerStats;
import dev.treadle.ShutdownReport;
import dev.treadle.SlowStep;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The hubs and devices of a demo, on a scheduler of their own. */
final class Demo implements AutoCloseable {
    /** A step that takes this long is reported. */
    static final Duration SLOW_STEP = Duration.ofMillis(100);

    private static final int PROCESSES_PER_HUB = 100;

    /**
     * How large a demo is.
     *
     * @param processes how many processes there are, hubs included
     * @param workers how many workers run them, or null for one per processor
     * @param seed where its randomness comes from
     * @param crashOdds a device breaks at one in so many readings that it passes on; 0 for never
     */
    record Settings(int processes, @Nullable Integer workers, long seed, int crashOdds) {}

    private final Settings settings;
    private final Clock clock;
    private final ExecutorService store;
    private final Scheduler scheduler;
    private final LongAdder crashed = new LongAdder();
    private final LongAdder slowSteps = new LongAdder();
    private final int workers;

    private Demo(Settings settings) {
        this.settings = settings;
        clock = Clock.start();
        store = Executors.newSingleThreadExecutor(daemon("treadle-demo-store"));
        scheduler = startScheduler();
        workers = scheduler.stats().workers().size();
    }

    /**
     * Starts a scheduler, without processes yet.
     *
     * @throws IllegalArgumentException if the number of workers makes no sense
     */
    static Demo start(Settings settings) {
        return new Demo(settings);
    }

    private Scheduler startScheduler() {
        SchedulerBuilder builder = Scheduler.builder()
                .name("demo")
                .seed(settings.seed())
                .slowStepLimit(SLOW_STEP)
                .handlers(new CommandRegistry()
                        .register(Rest.class, clock)
                        .registerAsync(Store.class, command -> CompletableFuture.supplyAsync(command::readings, store)))
                .listener(new SchedulerListener() {
                    @Override
                    public void onComplete(ProcessExit exit) {
                        if (exit.kind() == ProcessExit.Kind.FAILED) {
                            crashed.increment();
                        }
                    }

                    @Override
                    public void onSlowStep(SlowStep step) {
                        slowSteps.increment();
                    }
                });
        if (settings.workers() != null) {
            builder.workers(settings.workers());
        }
        try {
            return builder.start();
        } catch (IllegalArgumentException e) {
            stopHandlers();
            throw e;
        }
    }

    /** Submits the hubs, which start their devices. Stops early if told to. */
    void populate(BooleanSupplier stopped) {
        int hubs = Math.max(1, settings.processes() / PROCESSES_PER_HUB);
        int devices = settings.processes() - hubs;
        ProcessRef first = null;
        Pid peer = null;
        for (int hub = 0; hub < hubs && !stopped.getAsBoolean(); hub++) {
            int share = (int) ((long) devices * (hub + 1) / hubs - (long) devices * hub / hubs);
            ProcessRef made = scheduler.submit(new Hub(scheduler, settings.crashOdds()), Hub.GATHER, share);
            if (first == null) {
                first = made;
            } else {
                made.send(Hub.PEER, peer);
            }
            peer = made.pid();
        }
        if (first != null) {
            first.send(Hub.PEER, peer);
        }
    }

    /** Returns how many workers it was started with; spare ones come and go. */
    int workers() {
        return workers;
    }

    SchedulerStats stats() {
        return scheduler.stats();
    }

    /** Returns how many processes have failed. */
    long crashed() {
        return crashed.sum();
    }

    /** Returns how many steps took so long that they were reported. */
    long slowSteps() {
        return slowSteps.sum();
    }

    ShutdownReport shutdown(Duration timeout) {
        ShutdownReport report = scheduler.shutdown(timeout);
        stopHandlers();
        return report;
    }

    private void stopHandlers() {
        clock.close();
        store.shutdownNow();
    }

    @Override
    public void close() {
        shutdown(Duration.ZERO);
    }

    private static ThreadFactory daemon(String name) {
        return task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}

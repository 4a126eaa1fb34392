// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.demo;

import dev.treadle.CommandRegistry;
import dev.treadle.DeadLetter;
import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import dev.treadle.ProcessInfo;
import dev.treadle.SchedulerListener;
import dev.treadle.SchedulerStats;
import dev.treadle.ShutdownReport;
import dev.treadle.SlowStep;
import dev.treadle.WorkerStats;
import dev.treadle.commands.HttpHandlers;
import dev.treadle.node.Backoff;
import dev.treadle.node.ChildSpec;
import dev.treadle.node.Node;
import dev.treadle.node.ServiceSpec;
import dev.treadle.node.Spawn;
import dev.treadle.node.SupervisorRef;
import dev.treadle.node.SupervisorSpec;
import dev.treadle.observe.Incidents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A node with a fleet of devices, a database and an HTTP endpoint. */
final class Demo implements AutoCloseable {
    /** Which steps count as slow. */
    static final Duration SLOW_STEP = Duration.ofMillis(100);

    /** Processes that are there however many devices there are: three supervisors of services, two services, the fleet. */
    static final int FIXED_PROCESSES = 6;

    static final String DEVICES = "devices";
    private static final String SYSTEM = "system";
    private static final String FLEET = "fleet";
    private static final int PROCESSES_PER_SITE = 100;

    /** How many sites are started at once. */
    private static final int STARTING_MAX = 8;

    /** A supervisor and a station. */
    private static final int SITE_PROCESSES = 2;

    /**
     * How a demo is set up.
     *
     * @param processes how many there are in all
     * @param workers how many run the devices; null for one per processor
     * @param seed where random choices come from
     * @param crashOdds a device breaks at one in so many readings; 0 for never
     * @param interval how long a device waits between two readings, and up to twice as long
     * @param port where the HTTP endpoint is, if it is free
     */
    record Settings(int processes, @Nullable Integer workers, long seed, int crashOdds, Duration interval, int port) {}

    private final Settings settings;
    private final int sites;
    private final int devices;
    private final LongAdder crashed = new LongAdder();
    private final LongAdder slowSteps = new LongAdder();
    private final LongAdder deadLetters = new LongAdder();
    private final LongAdder endedWell = new LongAdder();
    private final LongAdder readings = new LongAdder();
    private final LongAdder rows = new LongAdder();
    private final LongAdder looks = new LongAdder();
    private final Incidents incidents = new Incidents();
    private final DemoDatabase database;
    private final DemoApi api;
    private final Node node;
    private final int workers;
    private @Nullable SchedulerStats lastStats;
    private boolean ended;

    private Demo(Settings settings) throws IOException {
        this.settings = settings;
        sites = Math.max(1, settings.processes() / PROCESSES_PER_SITE);
        devices = settings.processes() - FIXED_PROCESSES - sites * SITE_PROCESSES;
        api = DemoApi.bind(settings.port());
        database = new DemoDatabase();
        node = startNode();
        workers = node.host(DEVICES).scheduler().stats().workers().size();
        api.serve(node);
        node.spawn(SupervisorSpec.oneForOne()
                .intensity(100, Duration.ofSeconds(10))
                .spawn()
                .on(SYSTEM)
                .name(FLEET));
    }

    /**
     * Starts a node, without devices yet.
     *
     * @throws IllegalArgumentException if the number of workers makes no sense
     */
    static Demo start(Settings settings) {
        try {
            return new Demo(settings);
        } catch (IOException e) {
            throw new UncheckedIOException("the HTTP endpoint of the demo could not be opened: " + e.getMessage(), e);
        }
    }

    static String deviceName(int device) {
        return "device-" + device;
    }

    private Node startNode() {
        var registry = HttpHandlers.withDefaults().runningMax(4).register(new CommandRegistry());
        database.register(registry);
        try {
            return Node.builder()
                    .name("demo")
                    .schedulers(scheduler -> scheduler
                            .seed(settings.seed())
                            .slowStepLimit(SLOW_STEP)
                            .listener(new Counts())
                            .listener(incidents))
                    .host(SYSTEM, host -> host.workers(1).handlers(registry))
                    .host(DEVICES, host -> {
                        if (settings.workers() != null) {
                            host.workers(settings.workers());
                        }
                    })
                    .service(ServiceSpec.of(
                            Recorder.NAME, Spawn.of(() -> new Recorder(rows)).name(Recorder.NAME)))
                    .service(ServiceSpec.of("operator", Spawn.of(() -> new Operator(api.uri(), devices, looks)))
                            .requires(Recorder.NAME))
                    .start();
        } catch (IllegalArgumentException e) {
            api.close();
            database.close();
            throw e;
        }
    }

    /** Starts the sites and their devices. Stops early if told to. */
    void populate(BooleanSupplier stopped) {
        SupervisorRef fleet = SupervisorRef.named(node, FLEET);
        var starting = new ArrayDeque<CompletableFuture<Pid>>();
        for (int site = 0; site < sites && !stopped.getAsBoolean(); site++) {
            if (starting.size() == STARTING_MAX) {
                starting.remove().join();
            }
            int first = first(site);
            starting.add(fleet.start(ChildSpec.supervisor("site-" + site, site(site, first, first(site + 1) - first))
                    .on(DEVICES)));
        }
        starting.forEach(CompletableFuture::join);
    }

    /** The first device of a site. */
    private int first(int site) {
        return (int) ((long) devices * site / sites);
    }

    private SupervisorSpec site(int site, int first, int count) {
        String station = "station-" + site;
        SupervisorSpec spec = SupervisorSpec.oneForOne()
                .intensity(Math.max(10, count), Duration.ofSeconds(10))
                .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(2)))
                .child(
                        station,
                        Spawn.of(() -> new Station(site, first, count, settings.interval(), readings))
                                .name(station));
        for (int device = first; device < first + count; device++) {
            String name = deviceName(device);
            spec = spec.child(
                    name,
                    Spawn.of(() -> new Device(name, station, settings.interval(), settings.crashOdds()))
                            .name(name));
        }
        return spec;
    }

    /** Returns the node, for whoever wants to show what goes on in it. */
    Node node() {
        return node;
    }

    /** Returns what went wrong lately. */
    Incidents incidents() {
        return incidents;
    }

    /** Returns where the HTTP endpoint is. */
    URI api() {
        return api.uri();
    }

    /** Returns how many workers run the devices; spare ones come and go. */
    int workers() {
        return workers;
    }

    int devices() {
        return devices;
    }

    /** Returns how many processes have failed. */
    long crashed() {
        return crashed.sum();
    }

    /** Returns how many steps took so long that they were reported. */
    long slowSteps() {
        return slowSteps.sum();
    }

    /** Returns how many messages were not delivered or not read, also while it ended. */
    long deadLetters() {
        return deadLetters.sum();
    }

    /** Returns how many readings have reached their station. */
    long readings() {
        return readings.sum();
    }

    /** Returns how many rows were written to the database. */
    long rows() {
        return rows.sum();
    }

    /** Returns how many good replies the HTTP endpoint has given to the operator. */
    long looks() {
        return looks.sum();
    }

    /** Returns the figures of both hosts together, after the end those of before; delays are those of the devices. */
    synchronized SchedulerStats stats() {
        if (lastStats == null || !ended) {
            SchedulerStats system = node.host(SYSTEM).scheduler().stats();
            SchedulerStats fleet = node.host(DEVICES).scheduler().stats();
            lastStats = sum(system, fleet);
        }
        return lastStats;
    }

    private static SchedulerStats sum(SchedulerStats a, SchedulerStats b) {
        List<WorkerStats> workers = new ArrayList<>(a.workers());
        workers.addAll(b.workers());
        Map<ProcessInfo.State, Long> processes = new EnumMap<>(ProcessInfo.State.class);
        a.processes().forEach((state, count) -> processes.merge(state, count, Long::sum));
        b.processes().forEach((state, count) -> processes.merge(state, count, Long::sum));
        return new SchedulerStats(
                workers,
                processes,
                a.globalQueueLength() + b.globalQueueLength(),
                a.submitted() + b.submitted(),
                a.completed() + b.completed(),
                a.messagesFromOutside() + b.messagesFromOutside(),
                a.deadLetters() + b.deadLetters(),
                a.lateAnswers() + b.lateAnswers(),
                a.listenerFailures() + b.listenerFailures(),
                a.wakeUps() + b.wakeUps(),
                b.readyDelay());
    }

    /** Stops the sites, all at once, then the rest. Devices are asked to end, and end by themselves. */
    synchronized ShutdownReport shutdown(Duration timeout) {
        long start = System.nanoTime();
        if (!ended) {
            stats();
            ended = true;
            endedWell.reset();
            stopFleet(timeout);
        }
        int waiting = 0;
        int forced = 0;
        var stuck = new ArrayList<ShutdownReport.Stuck>();
        for (ShutdownReport report : node.shutdown(timeout).values()) {
            waiting += report.waiting();
            forced += report.forced();
            stuck.addAll(report.stuck());
        }
        api.close();
        database.close();
        return new ShutdownReport(
                endedWell.intValue(), waiting, forced, stuck, Duration.ofNanos(System.nanoTime() - start));
    }

    private void stopFleet(Duration timeout) {
        SupervisorRef fleet = SupervisorRef.named(node, FLEET).timeout(timeout);
        CompletableFuture<?>[] stops = fleet.children().join().stream()
                .map(site -> fleet.stop(site.id()))
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(stops).join(); // each has the timeout
        } catch (CompletionException e) {
            return; // the hosts end what is left, and the report says so
        }
        node.names().find(FLEET).ifPresent(pid -> node.cancel(pid, "the demo ends"));
    }

    @Override
    public synchronized void close() {
        if (!ended) {
            shutdown(Duration.ofSeconds(1));
        }
    }

    /** Counts what the statistics of a scheduler do not have. */
    private final class Counts implements SchedulerListener {
        @Override
        public void onComplete(ProcessExit exit) {
            if (exit.kind() == ProcessExit.Kind.FAILED) {
                crashed.increment();
            } else if (exit.isDone()) {
                endedWell.increment();
            }
        }

        @Override
        public void onDeadLetter(DeadLetter letter) {
            deadLetters.increment();
        }

        @Override
        public void onSlowStep(SlowStep step) {
            slowSteps.increment();
        }
    }
}

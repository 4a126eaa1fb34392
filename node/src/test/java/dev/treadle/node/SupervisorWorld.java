// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessRef;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A node that is stepped by hand, with a clock that a test moves, and workers that write down when they start and end. */
final class SupervisorWorld implements AutoCloseable {
    final List<String> log = Collections.synchronizedList(new ArrayList<>());

    /** How many of the next inits of a worker fail. */
    final Map<String, Integer> failingInits = new ConcurrentHashMap<>();

    private final Clock clock = new Clock();
    final SteppedNode stepped = Node.builder()
            .name("test")
            .host("a", host -> host.workers(2))
            .host("b", host -> host.workers(1))
            .schedulers(scheduler -> scheduler.time(clock).seed(7))
            .stepped();
    final Node node = stepped.node();

    Spawn worker(String id) {
        return Spawn.of(() -> new Worker(id, false));
    }

    /** One that does not end when it is asked to. */
    Spawn stubborn(String id) {
        return Spawn.of(() -> new Worker(id, true));
    }

    ChildSpec child(String id) {
        return ChildSpec.of(id, worker(id));
    }

    ProcessRef start(SupervisorSpec spec) {
        ProcessRef ref = node.spawn(spec.spawn()).ref();
        run();
        return ref;
    }

    void run() {
        stepped.runAll();
    }

    /** Lets time pass with each look at the clock. */
    void tick(Duration perLook) {
        clock.ticksNanos = perLook.toNanos();
    }

    void advance(Duration by) {
        clock.nanos.addAndGet(by.toNanos());
        stepped.fireTimers();
        run();
    }

    /** Ends a child in a way: done, throw, cancel, terminate. */
    void end(ProcessRef supervisor, String id, String how) {
        endLater(supervisor, id, how);
        run();
    }

    void endLater(ProcessRef supervisor, String id, String how) {
        Pid pid = pid(supervisor, id);
        switch (how) {
            case "cancel" -> node.cancel(pid, "test");
            case "terminate" -> node.terminate(pid, "test");
            default -> node.send(pid, how, null);
        }
    }

    SupervisionTree.Entry entry(ProcessRef supervisor) {
        return all(node.tree().supervisors()).stream()
                .filter(entry -> supervisor.pid().equals(entry.pid()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(supervisor + " is not in " + node.tree()));
    }

    /** A supervisor that is a child: it has a new address after each restart. */
    ProcessRef below(ProcessRef supervisor, String id) {
        return node.find(pid(supervisor, id)).orElseThrow();
    }

    SupervisionTree.Entry entry(ProcessRef supervisor, String id) {
        return entry(supervisor).children().stream()
                .filter(entry -> entry.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError(id + " is not in " + node.tree()));
    }

    Pid pid(ProcessRef supervisor, String id) {
        return entry(supervisor, id).pid();
    }

    /** The children that run, in order. */
    List<String> running(ProcessRef supervisor) {
        return entry(supervisor).children().stream()
                .filter(entry -> entry.state() == SupervisionTree.State.RUNNING
                        && node.find(entry.pid()).isPresent())
                .map(SupervisionTree.Entry::id)
                .toList();
    }

    List<String> children(ProcessRef supervisor) {
        return entry(supervisor).children().stream()
                .map(SupervisionTree.Entry::id)
                .toList();
    }

    long restarts(ProcessRef supervisor) {
        return entry(supervisor).supervisor().restarts();
    }

    static List<SupervisionTree.Entry> all(List<SupervisionTree.Entry> entries) {
        var all = new ArrayList<SupervisionTree.Entry>();
        for (SupervisionTree.Entry entry : entries) {
            all.add(entry);
            all.addAll(all(entry.children()));
        }
        return all;
    }

    /** What was written down since the last time. */
    List<String> takeLog() {
        synchronized (log) {
            List<String> taken = List.copyOf(log);
            log.clear();
            return taken;
        }
    }

    @Override
    public void close() {
        stepped.close();
    }

    private static final class Clock implements TimeSource {
        private final AtomicLong nanos = new AtomicLong();
        private long ticksNanos;

        @Override
        public long nanos() {
            return nanos.getAndAdd(ticksNanos);
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(nanos.get());
        }
    }

    /** Says when it starts and ends, and does what it is told. */
    private final class Worker implements Process {
        private final String id;
        private final boolean stubborn;
        private boolean isStarted;

        Worker(String id, boolean stubborn) {
            this.id = id;
            this.stubborn = stubborn;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            if (failingInits.merge(id, -1, Integer::sum) >= 0) {
                log.add("fail " + id);
                throw new IllegalStateException("init of " + id);
            }
            isStarted = true;
            log.add("start " + id);
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Signal && !stubborn) {
                    out.done();
                } else if (event instanceof Message message) {
                    switch (message.topic()) {
                        case "done" -> out.done("result");
                        case "throw" -> throw new IllegalStateException("as told");
                        default -> log.add(message.topic());
                    }
                }
            }
        }

        @Override
        public void close() {
            if (isStarted) {
                log.add("end " + id);
            }
        }
    }
}

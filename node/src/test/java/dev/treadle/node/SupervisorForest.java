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
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Random trees of supervisors, and workers that note who runs. */
final class SupervisorForest {
    static final Duration PERIOD = Duration.ofSeconds(10);
    static final String GROUP = "workers";
    private static final int DEPTH_MAX = 6;
    private static final int CHILDREN_MAX = 12;
    private static final int[] INTENSITIES = {0, 1, 2, 5, 1_000};

    private static final List<Restart> RESTARTS =
            List.of(Restart.PERMANENT, Restart.PERMANENT, Restart.TRANSIENT, Restart.TRANSIENT, Restart.TEMPORARY);
    private static final List<SupervisorStrategy> STRATEGIES = List.of(SupervisorStrategy.values());

    /** A child to be. */
    record Plan(
            String id,
            String host,
            Restart restart,
            @Nullable Branch branch) {}

    /** A supervisor to be. */
    record Branch(SupervisorStrategy strategy, int intensity, List<Plan> children) {}

    /** The workers that run now, by id. */
    final Map<String, Pid> running = new ConcurrentHashMap<>();

    /** What must not happen, and did. */
    final Queue<String> violations = new ConcurrentLinkedQueue<>();

    private final Random random;
    private final Backoff backoff;
    private int left;

    SupervisorForest(Random random, Backoff backoff) {
        this.random = random;
        this.backoff = backoff;
    }

    /** A tree of at most so many processes, at the top of which all restarts are allowed. */
    Branch plant(int processesMax) {
        left = processesMax - 1;
        Branch top = branch("p", 0);
        return new Branch(top.strategy(), Integer.MAX_VALUE - 1, top.children());
    }

    private Branch branch(String path, int depth) {
        List<Plan> children = new ArrayList<>();
        int count = depth == 0 ? CHILDREN_MAX : 1 + random.nextInt(CHILDREN_MAX);
        for (int i = 0; i < count && left > 0; i++) {
            left--;
            String id = path + "." + i;
            String host = random.nextBoolean() ? "a" : "b";
            boolean isBranch = depth < DEPTH_MAX && random.nextInt(10) < 4;
            Restart restart = RESTARTS.get(random.nextInt(RESTARTS.size()));
            children.add(
                    isBranch
                            ? new Plan(id, host, depth == 0 ? Restart.PERMANENT : restart, branch(id, depth + 1))
                            : new Plan(id, host, restart, null));
        }
        SupervisorStrategy strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
        return new Branch(strategy, INTENSITIES[random.nextInt(INTENSITIES.length)], children);
    }

    SupervisorSpec spec(Branch branch) {
        SupervisorSpec spec = SupervisorSpec.of(branch.strategy())
                .intensity(branch.intensity(), PERIOD)
                .backoff(backoff);
        for (Plan plan : branch.children()) {
            ChildSpec child = plan.branch() == null
                    ? ChildSpec.of(
                            plan.id(),
                            Spawn.of(() -> new Worker(plan.id()))
                                    .name(plan.id())
                                    .on(plan.host()))
                    : ChildSpec.supervisor(plan.id(), spec(plan.branch()));
            spec = spec.child(child.restart(plan.restart()));
        }
        return spec;
    }

    /** Ends when it is told to. Is in a group, has its id as its name, and must not run twice. */
    private final class Worker implements Process {
        private final String id;
        private @Nullable NodeContext node;
        private @Nullable Pid self;

        Worker(String id) {
            this.id = id;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            node = NodeContext.of(context);
            self = context.self();
            Pid other = running.putIfAbsent(id, self);
            if (other != null) {
                violations.add(id + " runs twice: " + other + " and " + self);
            }
        }

        @Override
        public void step(Events events, StepOutput out) {
            if (events.isEmpty()) {
                node.join(GROUP);
            }
            for (Event event : events) {
                if (event instanceof Signal) {
                    out.done();
                } else if (event instanceof Message message && message.topic().equals("throw")) {
                    throw new IllegalStateException("as told");
                } else {
                    node.join(GROUP); // a message that came before the first step
                }
            }
        }

        @Override
        public void close() {
            running.remove(id, self);
        }
    }

    /** Counts how often it is told of each monitor. */
    static final class Watcher implements Process {
        final Map<Long, AtomicInteger> told = new ConcurrentHashMap<>();

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Signal signal) {
                    if (signal.isCancel()) {
                        out.done();
                    } else {
                        told.computeIfAbsent(signal.ref(), ref -> new AtomicInteger())
                                .incrementAndGet();
                    }
                }
            }
        }

        int told(Monitor monitor) {
            AtomicInteger times = told.get(monitor.ref());
            return times == null ? 0 : times.get();
        }
    }
}

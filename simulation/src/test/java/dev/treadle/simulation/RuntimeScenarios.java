// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Completion;
import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessTimer;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.SubmissionRefusedException;
import dev.treadle.command.Ask;
import dev.treadle.command.Sleep;
import dev.treadle.node.Backoff;
import dev.treadle.node.ChildSpec;
import dev.treadle.node.NodeContext;
import dev.treadle.node.Spawn;
import dev.treadle.node.Supervisor;
import dev.treadle.node.SupervisorSpec;
import dev.treadle.node.SupervisorStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Scenarios for parts of the runtime itself: what must hold whatever happens. Run by {@link RuntimeSimulationTest}. */
final class RuntimeScenarios {
    private static final Faults ROUGH =
            Faults.none().stall(0.01, Duration.ofSeconds(1)).fillMailboxes(0.01).atMost(6);

    private RuntimeScenarios() {}

    // Supervisors.

    /** However children crash, each is there once at the most at any time, and once in the end. */
    static void supervisors(Simulation simulation) {
        Map<String, Set<Pid>> alive = new HashMap<>();
        simulation
                .node(node -> node.host("front").host("back"))
                .faults(Faults.none()
                        .crash(0.1, Child.class)
                        .stall(0.01, Duration.ofSeconds(1))
                        .atMost(5))
                .play(world -> {
                    int children = 1 + world.choose(4);
                    List<SupervisorStrategy> strategies = List.of(SupervisorStrategy.values());
                    SupervisorStrategy strategy = strategies.get(world.choose(strategies.size()));
                    SupervisorSpec spec = SupervisorSpec.of(strategy).intensity(1000, Duration.ofSeconds(1));
                    spec = world.choose(2) == 0
                            ? spec
                            : spec.backoff(Backoff.exponential(Duration.ofMillis(1), Duration.ofSeconds(1)));
                    for (int i = 0; i < children; i++) {
                        String id = "child-" + i;
                        alive.put(id, new HashSet<>());
                        String host = world.choose(2) == 0 ? "front" : "back";
                        spec = spec.child(ChildSpec.of(
                                id,
                                Spawn.of(() -> new Child(alive.get(id)))
                                        .on(host)
                                        .name(id)));
                    }
                    SupervisorSpec complete = spec;
                    world.node().spawn(Spawn.of(() -> Supervisor.of(complete)).on("front"));
                    world.always(
                            "each child once at the most",
                            () -> alive.values().stream().allMatch(lives -> lives.size() <= 1));
                    for (int i = 0; i < 10; i++) {
                        int to = world.choose(children);
                        world.after(
                                Duration.ofMillis(world.choose(100)),
                                () -> world.node().names().send("child-" + to, "work", null));
                    }
                    world.run(Duration.ofSeconds(1));
                    world.settle(Duration.ofSeconds(30));
                    alive.forEach((id, lives) -> {
                        assertThat(lives).as("lives of %s", id).hasSize(1);
                        assertThat(world.node().names().find(id))
                                .as("holder of name %s", id)
                                .isEqualTo(lives.stream().findFirst());
                    });
                });
    }

    private static final class Child implements Process {
        private final Set<Pid> alive;
        private ProcessContext context;

        Child(Set<Pid> alive) {
            this.alive = alive;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            alive.add(context.self());
        }

        @Override
        public void step(Events events, StepOutput out) {
            endIfCancelled(events, out);
        }

        @Override
        public void close() {
            alive.remove(context.self());
        }
    }

    private static void endIfCancelled(Events events, StepOutput out) {
        out.idle();
        for (Event event : events) {
            if (event instanceof Signal signal && signal.isCancel()) {
                out.done();
            }
        }
    }

    // Asks.

    /** Every ask is completed once, with its own reply or an error, whatever becomes of who was asked. */
    static void asks(Simulation simulation) {
        var asked = new ArrayList<Long>();
        Map<Long, Integer> completed = new HashMap<>();
        simulation.node(node -> node.host("front").host("back")).faults(ROUGH).play(world -> {
            int servers = 1 + world.choose(3);
            var pids = new ArrayList<Pid>();
            for (int i = 0; i < servers; i++) {
                pids.add(world.node().spawn(Spawn.of(Squarer::new).on("back")).pid());
            }
            int clients = 1 + world.choose(4);
            for (int i = 0; i < clients; i++) {
                boolean hasTimeout = world.choose(2) == 1;
                world.node()
                        .spawn(Spawn.of(() -> new Asker(pids, asked, completed, hasTimeout))
                                .on("front"));
            }
            if (world.choose(3) == 1) {
                world.after(Duration.ofMillis(world.choose(20)), () -> world.crash(pids.get(0)));
            }
            if (world.choose(4) == 1) {
                world.after(Duration.ofMillis(world.choose(20)), () -> world.loseHost("back"));
            }
            world.run(Duration.ofMinutes(1));
            assertThat(completed.keySet()).containsExactlyInAnyOrderElementsOf(asked);
            assertThat(completed.values()).allMatch(times -> times == 1);
        });
    }

    /** Replies with the square: at once, later, or not at all and ends. */
    private static final class Squarer implements Process {
        private final List<Message> later = new ArrayList<>();
        private ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.idle();
            for (Event event : events) {
                if (event instanceof Message message && message.isRequest()) {
                    int dice = context.random().nextInt(20);
                    if (dice == 0) {
                        out.done();
                        return;
                    }
                    if (dice < 10) {
                        later.add(message);
                        context.timers().after(Duration.ofMillis(dice), "reply", null);
                    } else {
                        reply(message);
                    }
                } else if (event instanceof Message && !later.isEmpty()) {
                    reply(later.remove(0));
                }
            }
        }

        private void reply(Message message) {
            long number = message.payload(Long.class);
            context.reply(message, number * number);
        }
    }

    private static final class Asker implements Process {
        private final List<Pid> servers;
        private final List<Long> asked;
        private final Map<Long, Integer> completed;
        private final boolean hasTimeout;
        private ProcessContext context;
        private int rounds;

        Asker(List<Pid> servers, List<Long> asked, Map<Long, Integer> completed, boolean hasTimeout) {
            this.servers = servers;
            this.asked = asked;
            this.completed = completed;
            this.hasTimeout = hasTimeout;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Completion completion) {
                    completed.merge(completion.tag(), 1, Integer::sum);
                    if (completion.error() == null) {
                        long number = completion.tag();
                        assertThat(completion.data()).isEqualTo(number * number);
                    }
                }
            }
            if (rounds++ < 5) {
                int inFlight = 1 + context.random().nextInt(3);
                for (int i = 0; i < inFlight; i++) {
                    long number = asked.size() + 1L;
                    asked.add(number);
                    var ask = new Ask(servers.get(context.random().nextInt(servers.size())), "square", number);
                    if (hasTimeout) {
                        out.yield(ask, number, Duration.ofMillis(5));
                    } else {
                        out.yield(ask, number);
                    }
                }
            }
            out.idle();
        }
    }

    // Timers.

    /** A timer is never early, comes once, and not after the step that cancelled it. */
    static void timers(Simulation simulation) {
        int[] fired = new int[1];
        simulation.faults(Faults.none().stall(0.02, Duration.ofMillis(50))).play(world -> {
            int processes = 1 + world.choose(4);
            for (int i = 0; i < processes; i++) {
                world.node().spawn(Spawn.of(() -> new Ticker(fired)));
            }
            world.run(Duration.ofMinutes(1));
            assertThat(fired[0]).isPositive();
        });
    }

    private static final class Ticker implements Process {
        private final Map<Integer, Long> dueNanos = new HashMap<>();
        private final Map<Integer, ProcessTimer> timers = new HashMap<>();
        private final int[] fired;
        private ProcessContext context;
        private int numbers;
        private int ticks;

        Ticker(int[] fired) {
            this.fired = fired;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message && message.topic().equals("once")) {
                    int number = message.payload(Integer.class);
                    fired[0]++;
                    Long due = dueNanos.remove(number);
                    assertThat(due)
                            .as("timer %d is set, and was neither cancelled nor here before", number)
                            .isNotNull();
                    assertThat(context.time().nanos()).isGreaterThanOrEqualTo(due);
                    timers.remove(number);
                } else if (event instanceof Message message && message.topic().equals("tick")) {
                    ticks++;
                }
            }
            if (numbers == 0) {
                context.timers().every(Duration.ofMillis(10), "tick", null);
            }
            assertThat((long) ticks)
                    .as("no more ticks than there were periods")
                    .isLessThanOrEqualTo(context.time().nanos() / 10_000_000);
            if (numbers < 30) {
                int millis = context.random().nextInt(30);
                dueNanos.put(++numbers, context.time().nanos() + millis * 1_000_000L);
                timers.put(numbers, context.timers().after(Duration.ofMillis(millis), "once", numbers));
                if (context.random().nextInt(3) == 0) {
                    int victim = timers.keySet().iterator().next();
                    timers.remove(victim).cancel();
                    dueNanos.remove(victim);
                }
                out.idle();
            } else if (timers.isEmpty()) {
                out.done();
            } else {
                out.idle();
            }
        }
    }

    // Names.

    /** A name belongs to one living process at a time, and to none when they have all ended. */
    static void names(Simulation simulation) {
        Map<String, Set<Pid>> holders = new HashMap<>();
        int[] held = new int[1];
        simulation
                .node(node -> node.host("front").host("back"))
                .faults(Faults.none()
                        .crash(0.05, Claimant.class)
                        .stall(0.02, Duration.ofMillis(50))
                        .atMost(1))
                .play(world -> {
                    for (String name : List.of("x", "y")) {
                        holders.put(name, new HashSet<>());
                    }
                    world.always("one holder", () -> holders.values().stream().allMatch(set -> set.size() <= 1));
                    world.always(
                            "who holds a name is found by it",
                            () -> holders.entrySet().stream()
                                    .allMatch(entry -> entry.getValue().stream()
                                            .allMatch(pid -> world.node()
                                                    .names()
                                                    .find(entry.getKey())
                                                    .map(pid::equals)
                                                    .orElse(false))));
                    int claimants = 2 + world.choose(8);
                    for (int i = 0; i < claimants; i++) {
                        String host = world.choose(2) == 0 ? "front" : "back";
                        world.after(
                                Duration.ofMillis(world.choose(5)),
                                () -> world.node()
                                        .spawn(Spawn.of(() -> new Claimant(holders, held))
                                                .on(host)));
                    }
                    world.expectEmpty();
                });
        assertThat(held[0]).isPositive();
    }

    private static final class Claimant implements Process {
        private final Map<String, Set<Pid>> holders;
        private final int[] held;
        private ProcessContext context;
        private int rounds;

        Claimant(Map<String, Set<Pid>> holders, int[] held) {
            this.holders = holders;
            this.held = held;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            String name = context.random().nextBoolean() ? "x" : "y";
            NodeContext node = NodeContext.of(context);
            if (holders.get(name).contains(context.self()) && context.random().nextBoolean()) {
                holders.get(name).remove(context.self());
                node.node().names().unregister(name);
            } else if (node.register(name).map(context.self()::equals).orElse(false)) {
                held[0]++;
                holders.get(name).add(context.self());
            }
            if (rounds++ == 8) {
                out.done();
            } else {
                out.yield(new Sleep(Duration.ofMillis(context.random().nextInt(3))), rounds);
            }
        }

        @Override
        public void close() {
            holders.values().forEach(set -> set.remove(context.self()));
        }
    }

    // Shutdown.

    /** Whatever processes do when they are asked to end, each that was initialised is closed once, and all results are there. */
    static void shutdown(Simulation simulation) {
        Map<Pid, Integer> open = new HashMap<>();
        int[] closed = new int[2];
        simulation
                .node(node -> node.host("front").host("back"))
                .faults(ROUGH)
                .mayWaitForEver()
                .limit(Duration.ofMillis(100))
                .play(world -> {
                    world.boot(node -> {
                        for (String host : List.of("front", "back")) {
                            node.spawn(
                                    Spawn.of(() -> new Stubborn(open, closed)).on(host));
                        }
                    });
                    world.run(Duration.ofMillis(world.choose(1000)));
                    if (world.choose(2) == 1) {
                        world.restart(Duration.ofSeconds(1));
                        assertThat(open).as("of the node that stopped").isEmpty();
                    } else if (world.choose(2) == 1) {
                        world.loseHost("back");
                    }
                    world.run(Duration.ofMillis(world.choose(1000)));
                });
        assertThat(open).isEmpty();
        assertThat(closed[0]).isPositive();
        assertThat(closed[1]).as("closed twice").isZero();
    }

    /** Spawns a few like itself, and when it is asked to end does so at once, later, never, or by throwing. */
    private static final class Stubborn implements Process {
        private static final int MOST = 8;

        private final Map<Pid, Integer> open;
        private final int[] closed;
        private ProcessContext context;

        Stubborn(Map<Pid, Integer> open, int[] closed) {
            this.open = open;
            this.closed = closed;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            assertThat(open.put(context.self(), 1)).isNull();
        }

        @Override
        public void step(Events events, StepOutput out) {
            int dice = context.random().nextInt(6);
            if (context.isCancelled()) {
                switch (dice) {
                    case 0 -> out.done();
                    case 1 -> throw new IllegalStateException("does not like to end");
                    case 2 -> out.yield(new Sleep(Duration.ofSeconds(20)), 1);
                    case 3 -> out.yield(new Sleep(Duration.ofMillis(1)), 1);
                    case 4 -> spawnOne();
                    default -> out.idle();
                }
                return;
            }
            if (dice < 3) {
                spawnOne();
            }
            out.yield(new Sleep(Duration.ofMillis(100L * (dice + 1))), 1);
        }

        private void spawnOne() {
            if (open.size() < MOST) {
                try {
                    context.spawn(new Stubborn(open, closed), "main");
                } catch (SubmissionRefusedException e) {
                    assertThat(context.isCancelled())
                            .as("refused because all end")
                            .isTrue();
                }
            }
        }

        @Override
        public void close() {
            closed[open.remove(context.self()) == null ? 1 : 0]++;
        }
    }
}

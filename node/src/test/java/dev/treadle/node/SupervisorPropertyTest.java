// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.Pid;
import dev.treadle.ProcessRef;
import dev.treadle.SteppedScheduler;
import dev.treadle.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random trees of supervisors under random kills.
 *
 * <p>Goal: no orphan, no child that runs twice, every monitor told exactly once, restart counts as specified, names and
 * groups that hold only the living. Method: one kill at a time, against a model of the rules that was written for this; many
 * at once and in the middle of restarts, where only what must always hold is checked; and both kinds with threads.
 *
 * <p>Mutants that it has to catch: a supervisor that starts again without waiting for what it left behind; a close that does
 * not end the children; a group that is counted once for each member; a window that never forgets; a transient child that is
 * restarted when done.
 */
class SupervisorPropertyTest {
    private static final int PROCESSES_MAX = 1_000;
    private static final Duration SETTLE_MAX = Duration.ofSeconds(60);

    /** Kept in a field: the logging system itself holds loggers weakly. */
    private final Logger log = Logger.getLogger("dev.treadle.node");

    private final Level level = log.getLevel();

    private final long seed = Long.getLong("treadle.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @BeforeEach
    void doNotWarnOfEachSupervisorThatGivesUp() {
        log.setLevel(Level.SEVERE);
    }

    @AfterEach
    void warnAgain() {
        log.setLevel(level);
    }

    @Test
    void oneKillAtATimeIsAsTheModelSays() {
        oneByOne(Duration.ofSeconds(2));
    }

    @Test
    void manyKillsAtOnceLeaveNothingBehind() {
        bursts(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void killsWhileThreadsRun(int workers) {
        threads(workers, Duration.ofSeconds(1));
    }

    @Test
    @Tag("stress")
    void oneKillAtATimeForAMinute() {
        oneByOne(Duration.ofSeconds(60));
    }

    @Test
    @Tag("stress")
    void manyKillsAtOnceForAMinute() {
        bursts(Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @Tag("stress")
    @ValueSource(ints = {1, 2, 8})
    void killsWhileThreadsRunForAMinute(int workers) {
        threads(workers, Duration.ofSeconds(60));
    }

    private void oneByOne(Duration length) {
        System.out.println("SupervisorPropertyTest: -Dtreadle.seed=" + seed);
        long kills = 0;
        for (long end = System.nanoTime() + length.toNanos(); System.nanoTime() < end; ) {
            var clock = new Clock();
            try (SteppedNode stepped = hosts(random.nextInt(1, 4))
                    .schedulers(scheduler -> scheduler.time(clock).seed(seed))
                    .stepped()) {
                var trial = new Trial(stepped.node(), Backoff.none());
                stepped.runAll();
                var model = new SupervisorModel(trial.plan, null);
                for (int i = 0; i < 100 && System.nanoTime() < end; i++, kills++) {
                    List<SupervisorModel.Child> running = model.running();
                    SupervisorModel.Child child = running.get(random.nextInt(running.size()));
                    boolean isDone = trial.kill(trial.entries().get(child.plan.id()), true);
                    stepped.runAll();
                    child.owner().end(child, isDone, clock.nanos());
                    assertThat(SupervisorModel.describe(trial.top()))
                            .as("after %s ended, seed %d", child.plan.id(), seed)
                            .isEqualTo(model.describe());
                    trial.check();
                    clock.nanos.addAndGet(random.nextLong(Duration.ofSeconds(3).toNanos()));
                }
                trial.endAndCheck(stepped::runAll);
            }
        }
        assertThat(kills).isPositive();
    }

    private void bursts(Duration length) {
        System.out.println("SupervisorPropertyTest: -Dtreadle.seed=" + seed);
        for (long end = System.nanoTime() + length.toNanos(); System.nanoTime() < end; ) {
            var clock = new Clock();
            try (SteppedNode stepped = hosts(random.nextInt(1, 4))
                    .schedulers(scheduler -> scheduler.time(clock).seed(seed))
                    .stepped()) {
                Backoff backoff = random.nextBoolean()
                        ? Backoff.none()
                        : Backoff.exponential(Duration.ofMillis(1), Duration.ofSeconds(1));
                var trial = new Trial(stepped.node(), backoff);
                stepped.runAll();
                for (int i = 0; i < 50 && System.nanoTime() < end; i++) {
                    List<SupervisionTree.Entry> alive =
                            new ArrayList<>(trial.entries().values());
                    alive.removeIf(entry -> entry.pid() == null);
                    for (int kills = random.nextInt(1, 20); kills > 0; kills--) {
                        trial.kill(alive.get(random.nextInt(alive.size())), false);
                        for (int turns = random.nextInt(30); turns > 0; turns--) {
                            List<SteppedScheduler> all =
                                    List.copyOf(stepped.hosts().values());
                            SteppedScheduler host = all.get(random.nextInt(all.size()));
                            host.runOne(random.nextInt(host.workers()));
                        }
                    }
                    do {
                        stepped.runAll();
                        clock.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                    } while (stepped.fireTimers() > 0 || stepped.runAll() > 0);
                    trial.check();
                }
                trial.endAndCheck(stepped::runAll);
            }
        }
    }

    private void threads(int workers, Duration length) {
        System.out.println("SupervisorPropertyTest: -Dtreadle.seed=" + seed);
        try (Node node = hosts(workers).start()) {
            var trial = new Trial(node, Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(20)));
            trial.awaitCheck();
            for (long end = System.nanoTime() + length.toNanos(); System.nanoTime() < end; ) {
                for (int burst = random.nextInt(1, 10); burst > 0; burst--) {
                    List<SupervisionTree.Entry> alive =
                            new ArrayList<>(trial.entries().values());
                    alive.removeIf(entry -> entry.pid() == null);
                    for (int kills = random.nextInt(1, 10); kills > 0 && !alive.isEmpty(); kills--) {
                        trial.kill(alive.get(random.nextInt(alive.size())), false);
                    }
                }
                trial.awaitCheck();
            }
            trial.ref.cancel("the end");
            await().atMost(SETTLE_MAX).until(() -> trial.ref.result().isDone());
            trial.endAndCheck(() -> {});
        }
    }

    private static NodeBuilder hosts(int workers) {
        return Node.builder()
                .name("trial")
                .host("a", host -> host.workers(workers))
                .host("b", host -> host.workers(1));
    }

    private static final class Clock implements TimeSource {
        private final AtomicLong nanos = new AtomicLong();

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(nanos.get());
        }
    }

    /** One tree, and who watches it. */
    private final class Trial {
        private final Node node;
        private final SupervisorForest forest;
        private final SupervisorForest.Branch plan;
        private final ProcessRef ref;
        private final SupervisorForest.Watcher watcher = new SupervisorForest.Watcher();
        private final Pid watcherPid;
        private final Map<Monitor, Pid> monitors = new HashMap<>();

        Trial(Node node, Backoff backoff) {
            this.node = node;
            forest = new SupervisorForest(random, backoff);
            plan = forest.plant(random.nextInt(50, PROCESSES_MAX + 1));
            watcherPid = node.spawn(Spawn.of(() -> watcher).on("b")).pid();
            ref = node.spawn(forest.spec(plan).spawn().on("a")).ref();
        }

        SupervisionTree.Entry top() {
            return node.tree().supervisors().get(0);
        }

        Map<String, SupervisionTree.Entry> entries() {
            Map<String, SupervisionTree.Entry> entries = new TreeMap<>();
            SupervisorWorld.all(top().children()).forEach(entry -> entries.put(entry.id(), entry));
            return entries;
        }

        /** Ends a process in some way, watched; returns whether it will be done, and not fail. */
        boolean kill(SupervisionTree.Entry entry, boolean mustLive) {
            Pid pid = entry.pid();
            assertThat(!mustLive || pid != null)
                    .as("%s lives, seed %d", entry, seed)
                    .isTrue();
            monitors.put(node.monitor(watcherPid, pid), pid);
            switch (random.nextInt(3)) {
                case 0 -> {
                    node.cancel(pid, "kill");
                    return true;
                }
                case 1 -> node.terminate(pid, "kill");
                default -> {
                    if (entry.supervisor() == null) {
                        node.send(pid, "throw", null);
                    } else {
                        node.terminate(pid, "kill");
                    }
                }
            }
            return false;
        }

        void awaitCheck() {
            await().atMost(SETTLE_MAX).pollInterval(Duration.ofMillis(5)).until(this::isQuiet);
            check();
        }

        private boolean isQuiet() {
            // Before the rest: whoever was killed has ended, and from there on the tree shows what goes on.
            return monitors.values().stream().noneMatch(this::isAlive)
                    && entries().values().stream()
                            .allMatch(entry -> entry.state() == SupervisionTree.State.STOPPED
                                    || (entry.state() == SupervisionTree.State.RUNNING
                                            && node.find(entry.pid()).isPresent()))
                    && hasNoRest();
        }

        private boolean hasNoRest() {
            Set<Pid> inTree = workersOfTree();
            return Set.copyOf(forest.running.values()).equals(inTree)
                    && Set.copyOf(node.groups().members(SupervisorForest.GROUP)).equals(inTree)
                    && monitors.entrySet().stream()
                            .allMatch(each -> watcher.told(each.getKey()) == (isAlive(each.getValue()) ? 0 : 1));
        }

        private Set<Pid> workersOfTree() {
            Set<Pid> pids = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
            entries().values().stream()
                    .filter(entry -> entry.supervisor() == null && entry.pid() != null)
                    .forEach(entry -> pids.add(entry.pid()));
            return Set.copyOf(pids);
        }

        private boolean isAlive(Pid pid) {
            return node.find(pid).isPresent();
        }

        /** What must hold whenever nothing is going on. */
        void check() {
            Set<Pid> inTree = workersOfTree();
            assertThat(forest.violations).as("seed %d", seed).isEmpty();
            assertThat(Set.copyOf(forest.running.values()))
                    .as("no orphan, and all that the tree shows: seed %d", seed)
                    .isEqualTo(inTree);
            assertThat(Set.copyOf(node.names().all().values()))
                    .as("names: seed %d", seed)
                    .isEqualTo(inTree);
            assertThat(Set.copyOf(node.groups().members(SupervisorForest.GROUP)))
                    .as("group: seed %d", seed)
                    .isEqualTo(inTree);
            entries()
                    .forEach((id, entry) -> assertThat(entry.state())
                            .as("%s, seed %d", id, seed)
                            .isIn(SupervisionTree.State.RUNNING, SupervisionTree.State.STOPPED));
            monitors.forEach((monitor, pid) -> assertThat(watcher.told(monitor))
                    .as("%s, seed %d", monitor, seed)
                    .isEqualTo(isAlive(pid) ? 0 : 1));
            monitors.values().removeIf(pid -> !isAlive(pid));
        }

        void endAndCheck(Runnable run) {
            ref.cancel("the end");
            run.run();
            assertThat(ref.result()).as("seed %d", seed).isCompletedWithValue(null);
            assertThat(forest.violations).as("seed %d", seed).isEmpty();
            assertThat(forest.running).as("seed %d", seed).isEmpty();
            assertThat(node.names().all()).as("seed %d", seed).isEmpty();
            assertThat(node.groups().members(SupervisorForest.GROUP)).isEmpty();
            assertThat(node.tree().supervisors()).as("seed %d", seed).isEmpty();
        }
    }
}

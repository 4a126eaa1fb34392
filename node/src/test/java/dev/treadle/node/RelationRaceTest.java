// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that relate processes while others end them. Each race is run many times, with two threads that start together.
 *
 * <p>Mutants that were caught: names that are not given back, a name taken without a look at who has it, and (not in every
 * run) a look outside of compute whether the process is alive. Not caught: link() without its second look, whose window these
 * threads have not hit.
 */
class RelationRaceTest {
    private static final int ROUNDS = 300;
    private static final Duration SOON = Duration.ofSeconds(20);

    private final ExecutorService threads = Executors.newFixedThreadPool(3);

    private static Node node(int workers) {
        return Node.builder()
                .host("a", host -> host.workers(workers))
                .host("b", host -> host.workers(workers))
                .start();
    }

    /** Runs them at once, and returns when both have. */
    private void race(Runnable... racers) throws Exception {
        var start = new CountDownLatch(1);
        List<Future<?>> running = new ArrayList<>();
        for (Runnable racer : racers) {
            Callable<Void> task = () -> {
                start.await();
                racer.run();
                return null;
            };
            running.add(threads.submit(task));
        }
        start.countDown();
        for (Future<?> each : running) {
            each.get();
        }
    }

    private void settle(Node node) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(node.hosts())
                        .allSatisfy(host -> assertThat(host.relations().size())
                                .as("relations left on %s", host)
                                .isZero()));
    }

    private static final class Watcher implements Process {
        final ConcurrentLinkedQueue<Long> refs = new ConcurrentLinkedQueue<>();
        final AtomicInteger downs = new AtomicInteger();

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Signal signal) {
                    switch (signal.kind()) {
                        case CANCEL -> out.done();
                        case EXIT -> refs.add(signal.ref());
                        case LINK_DOWN -> downs.incrementAndGet();
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void everyMonitorIsToldExactlyOnce(int workers) throws Exception {
        try (Node node = node(workers)) {
            var watcher = new Watcher();
            Pid watcherPid = node.spawn(Spawn.of(() -> watcher).on("a")).pid();
            var made = new ConcurrentLinkedQueue<Long>();
            for (int i = 0; i < ROUNDS; i++) {
                Pid target = node.spawn(Spawn.of(Watcher::new).on("b")).pid();
                Runnable monitors = () -> {
                    for (int j = 0; j < 5; j++) {
                        made.add(node.monitor(watcherPid, target).ref());
                    }
                };
                race(monitors, () -> node.terminate(target, "race"), monitors);
            }
            await().atMost(SOON).until(() -> watcher.refs.size() >= made.size());
            settle(node);
            assertThat(watcher.refs).containsExactlyInAnyOrderElementsOf(made);
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void aLinkThatRacesAnEndEndsBothOrIsToldOnce(int workers) throws Exception {
        try (Node node = node(workers)) {
            var trapping = new Watcher();
            Pid trappingPid = node.spawn(Spawn.of(() -> trapping).on("a")).pid();
            node.trapExits(trappingPid, true);
            List<Pid> mortal = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                Pid a = node.spawn(Spawn.of(Watcher::new).on("a")).pid();
                Pid b = node.spawn(Spawn.of(Watcher::new).on("b")).pid();
                mortal.addAll(List.of(a, b));
                race(() -> node.link(trappingPid, a), () -> node.terminate(a, "race"), () -> {
                    node.link(a, b);
                    node.link(b, a);
                });
            }
            await().atMost(SOON)
                    .until(() -> mortal.stream().noneMatch(pid -> node.find(pid).isPresent()));
            await().atMost(SOON).until(() -> trapping.downs.get() >= ROUNDS);
            node.trapExits(trappingPid, false);
            settle(node);
            assertThat(trapping.downs).hasValue(ROUNDS);
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void namesAndGroupsHoldOnlyTheLiving(int workers) throws Exception {
        try (Node node = node(workers)) {
            for (int i = 0; i < ROUNDS; i++) {
                Pid a = node.spawn(Spawn.of(Watcher::new).on("a")).pid();
                Pid b = node.spawn(Spawn.of(Watcher::new).on("b")).pid();
                race(
                        () -> {
                            node.names().register("x", a);
                            node.groups().join("g", a);
                        },
                        () -> {
                            node.names().register("x", b);
                            node.groups().join("g", b);
                            node.groups().watch("g", a);
                        },
                        () -> {
                            node.terminate(a, "race");
                            node.terminate(b, "race");
                        });
            }
            settle(node);
            await().atMost(SOON).until(() -> node.names().size() == 0);
            await().atMost(SOON).until(() -> node.groups().all().isEmpty());
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void ofSeveralThatSpawnOneNameOneStartsIt(int workers) throws Exception {
        try (Node node = node(workers)) {
            for (int i = 0; i < ROUNDS; i++) {
                Spawn spawn = Spawn.of(Watcher::new).on(i % 2 == 0 ? "a" : "b").name("n" + i);
                var spawned = new ConcurrentLinkedQueue<Spawned>();
                Runnable starts = () -> spawned.add(node.spawn(spawn));
                race(starts, starts, starts);
                Set<Pid> pids = new HashSet<>();
                spawned.forEach(each -> pids.add(each.pid()));
                assertThat(pids).hasSize(1);
                assertThat(spawned.stream().filter(Spawned::isNew)).hasSize(1);
            }
            assertThat(node.names().size()).isEqualTo(ROUNDS);
            assertThat(node.names().all().values())
                    .allMatch(pid -> node.find(pid).isPresent());
        } finally {
            threads.shutdown();
        }
    }

    /** One thread lets all join and leave, another one looks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void aCopyOfAGroupIsOfOneMoment(int workers) throws Exception {
        try (Node node = node(workers)) {
            List<Pid> pids = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                pids.add(node.spawn(Spawn.of(Watcher::new).on("a")).pid());
            }
            var done = new AtomicBoolean();
            race(
                    () -> {
                        for (int round = 0; round < 50; round++) {
                            pids.forEach(pid -> node.groups().join("g", pid));
                            pids.forEach(pid -> node.groups().leave("g", pid));
                        }
                        done.set(true);
                    },
                    () -> {
                        while (!done.get()) {
                            // They join and leave in order, so the members of a moment are a run of the list.
                            List<Pid> seen = node.groups().members("g");
                            if (!seen.isEmpty()) {
                                int from = pids.indexOf(seen.get(0));
                                assertThat(pids.subList(from, from + seen.size()))
                                        .isEqualTo(seen);
                            }
                        }
                    });
        } finally {
            threads.shutdown();
        }
    }
}

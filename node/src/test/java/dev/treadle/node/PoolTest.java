// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools: who gets what, how much may wait, and that workers are replaced. */
class PoolTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SteppedNode stepped = Node.builder()
            .host("a", host -> host.workers(1))
            .host("b", host -> host.workers(1))
            .stepped();
    private final Node node = stepped.node();
    private final Map<Pid, List<Object>> done = new HashMap<>();
    private boolean failsToStart;

    @AfterEach
    void close() {
        stepped.close();
    }

    /** Writes down what it gets, and replies with its address. */
    private final class Hand implements Process {
        private ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            if (failsToStart) {
                throw new IllegalStateException("no more hands");
            }
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    switch (message.topic()) {
                        case "throw" -> throw new IllegalStateException("as told");
                        case "done" -> out.done();
                        default -> {
                            done.computeIfAbsent(context.self(), pid -> new ArrayList<>())
                                    .add(message.payload());
                            if (message.isRequest()) {
                                context.reply(message, context.self());
                            }
                        }
                    }
                } else if (event instanceof Signal) {
                    out.done();
                }
            }
        }
    }

    private Pool pool(PoolOptions options) {
        Pool pool = Pool.of(node, Spawn.of(Hand::new).on("b"), options);
        stepped.runAll();
        return pool;
    }

    private void send(Pool pool, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(pool.send("work", i)).isEqualTo(Delivery.DELIVERED);
        }
    }

    @Nested
    class Routing {
        @Test
        void roundRobinGivesEachItsTurn() {
            Pool pool = pool(PoolOptions.roundRobin(3));
            send(pool, 9);
            stepped.runAll();
            assertThat(pool.workers())
                    .allSatisfy(pid -> assertThat(done.get(pid)).hasSize(3));
            assertThat(done.get(pool.workers().get(1))).containsExactly(1, 4, 7);
        }

        @Test
        void leastLoadedPassesOverThoseThatHaveMuchToDo() {
            Pool pool = pool(PoolOptions.leastLoaded(3));
            Pid busy = pool.workers().get(0);
            for (int i = 0; i < 10; i++) {
                node.send(busy, "work", "before");
            }
            send(pool, 8);
            stepped.runAll();
            assertThat(done.get(busy)).containsOnly("before");
            assertThat(done.get(pool.workers().get(1))).hasSize(4);
            assertThat(done.get(pool.workers().get(2))).hasSize(4);
        }

        @Test
        void aKeyAlwaysHasTheSameWorker() {
            Pool pool = pool(PoolOptions.byKey(4));
            Map<String, Pid> owners = new HashMap<>();
            for (int round = 0; round < 3; round++) {
                for (int key = 0; key < 100; key++) {
                    Pid owner = pool.pick("key-" + key);
                    assertThat(Objects.requireNonNullElse(owners.put("key-" + key, owner), owner))
                            .isEqualTo(owner);
                }
            }
            assertThat(owners.values()).contains(pool.workers().toArray(new Pid[0]));
            assertThatThrownBy(() -> pool.send("work", 1)).hasMessageContaining("this pool goes by keys");
        }

        @Test
        void aReplacedWorkerHasTheKeysOfTheOneBefore() {
            Pool pool = pool(PoolOptions.byKey(4));
            Pid old = pool.pick("x");
            int place = pool.workers().indexOf(old);
            pool.send("x", "throw", null);
            stepped.runAll();
            assertThat(pool.pick("x"))
                    .isNotEqualTo(old)
                    .isEqualTo(pool.workers().get(place));
        }

        @Test
        void oneWorkerMoreMovesOnlyTheKeysThatItGets() {
            int keys = 10_000;
            for (int places = 1; places < 12; places++) {
                int moved = 0;
                for (int key = 0; key < keys; key++) {
                    int before = ConsistentHash.place("key" + key, places);
                    int after = ConsistentHash.place("key" + key, places + 1);
                    assertThat(after).isIn(before, places);
                    moved += before == after ? 0 : 1;
                }
                assertThat(moved).isBetween(keys / (places + 1) * 8 / 10, keys / (places + 1) * 12 / 10);
            }
        }
    }

    @Nested
    class Bound {
        @Test
        void beyondTheBoundASendIsRefusedAndARequestFailsAtOnceAndBothAreCounted() {
            Pool pool = pool(PoolOptions.roundRobin(2).waitingMax(3));
            send(pool, 6);
            assertThat(pool.stats()).isEqualTo(new PoolStats(2, 6, 0, 0));
            assertThat(pool.send("work", 7)).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(pool.ask("work", 8, SECOND))
                    .failsWithin(0, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(PoolFullException.class)
                    .withMessageContaining("each of 2 workers has 3 messages waiting");
            assertThatThrownBy(pool::pick).isInstanceOf(PoolFullException.class);
            assertThat(pool.stats().refused()).isEqualTo(3);
            stepped.runAll();
            send(pool, 1);
        }

        @Test
        void ofKeysOnlyTheFullWorkerIsClosed() {
            Pool pool = pool(PoolOptions.byKey(2).waitingMax(1));
            String other = "x";
            for (int i = 0; pool.pick(other).equals(pool.pick("x")); i++) {
                other = "y" + i;
            }
            assertThat(pool.send("x", "work", 1)).isEqualTo(Delivery.DELIVERED);
            assertThat(pool.send("x", "work", 2)).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(pool.send(other, "work", 3)).isEqualTo(Delivery.DELIVERED);
        }

        @Test
        void itGrowsUpToItsLimitWhenMuchWaits() {
            Pool pool = pool(PoolOptions.roundRobin(1).growTo(3).waitingMax(4));
            send(pool, 12);
            assertThat(pool.stats()).isEqualTo(new PoolStats(3, 12, 0, 0));
            assertThat(pool.send("work", 13)).isEqualTo(Delivery.MAILBOX_FULL);
            failsToStart = true;
            stepped.runAll();
            send(pool, 3);
        }

        @Test
        void whatCannotBeIsRefusedByName() {
            assertThatThrownBy(() -> PoolOptions.roundRobin(0)).hasMessageContaining("workers was 0");
            assertThatThrownBy(() -> PoolOptions.byKey(3).growTo(2)).hasMessageContaining("workersMax was 2");
            assertThatThrownBy(() -> PoolOptions.byKey(3).waitingMax(0)).hasMessageContaining("waitingMax was 0");
            assertThatThrownBy(() -> Pool.of(node, Spawn.of(Hand::new).name("one"), PoolOptions.roundRobin(2)))
                    .hasMessageContaining("named \"one\"");
        }
    }

    @Nested
    class Lives {
        @ParameterizedTest
        @ValueSource(strings = {"throw", "done"})
        void aWorkerThatEndsIsReplaced(String how) throws Exception {
            Pool pool = pool(PoolOptions.roundRobin(2));
            List<Pid> before = pool.workers();
            pool.send(how, null);
            stepped.runAll();
            assertThat(pool.workers()).hasSize(2).isNotEqualTo(before).contains(before.get(1));
            assertThat(pool.stats().replaced()).isEqualTo(1);
            CompletableFuture<Object> reply = pool.ask("work", 1, SECOND);
            stepped.runAll();
            assertThat(pool.workers()).contains((Pid) reply.get(1, TimeUnit.SECONDS));
        }

        @Test
        void whileAWorkerIsBeingReplacedTheOthersGetItsTurns() {
            Pool pool = pool(PoolOptions.roundRobin(2));
            Pid dying = pool.workers().get(0);
            node.terminate(dying, "now");
            while (node.find(dying).isPresent()) {
                stepped.hosts().get("b").runOne(0);
            }
            assertThat(pool.workers()).as("not replaced yet").contains(dying);
            send(pool, 4);
            stepped.runAll();
            assertThat(done.get(pool.workers().get(1))).hasSize(4);
        }

        @Test
        void tooManyFailuresEndThePoolAndItsWorkers() {
            Pool pool = pool(PoolOptions.roundRobin(2).restarts(3, Duration.ofMinutes(1)));
            var watcher = new Probe();
            node.monitor(node.spawn(Spawn.of(() -> watcher).on("a")).pid(), pool.keeper());
            for (int i = 0; i < 3; i++) {
                pool.send("throw", null);
                stepped.runAll();
            }
            assertThat(watcher.ends()).isEmpty();
            pool.send("throw", null);
            stepped.runAll();
            assertThat(watcher.ends()).containsExactly("EXIT FAILED IllegalStateException");
            assertThat(stepped.hosts().get("b").scheduler().stats().alive()).isZero();
            assertThat(pool.send("work", 1)).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThatThrownBy(pool::pick).hasMessageContaining("has ended");
        }

        @Test
        void oneThatCannotBeReplacedEndsThePool() {
            Pool pool = pool(PoolOptions.roundRobin(2));
            failsToStart = true;
            pool.send("throw", null);
            stepped.runAll();
            assertThat(node.find(pool.keeper())).isEmpty();
            assertThat(stepped.hosts().get("b").scheduler().stats().alive()).isZero();
        }

        @Test
        void aPoolThatDoesNotStartLeavesNothing() {
            failsToStart = true;
            assertThatThrownBy(() -> pool(PoolOptions.roundRobin(2))).hasMessageContaining("no more hands");
            stepped.runAll();
            assertThat(stepped.hosts().get("b").scheduler().stats().alive()).isZero();
        }

        @Test
        void aPoolThatIsClosedEndsItsWorkers() {
            Pool pool = pool(PoolOptions.leastLoaded(5));
            pool.close();
            stepped.runAll();
            assertThat(stepped.hosts().get("b").scheduler().stats().alive()).isZero();
            assertThat(pool.workers()).isEmpty();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Monitors and links, on one host and across two. */
class LifecycleTest {
    private final SteppedNode stepped = Node.builder()
            .name("test")
            .host("a", host -> host.workers(2))
            .host("b", host -> host.workers(1))
            .stepped();
    private final Node node = stepped.node();
    private final Probe watcher = new Probe();
    private final Pid watcherPid = spawn(watcher, "a");

    @AfterEach
    void close() {
        stepped.close();
    }

    private Pid spawn(Probe probe, String host) {
        Pid pid = node.spawn(Spawn.of(() -> probe).on(host)).pid();
        stepped.runAll();
        return pid;
    }

    private void tell(Pid pid, String topic) {
        node.send(pid, topic, "result");
        stepped.runAll();
    }

    private void end(Pid pid, String how) {
        switch (how) {
            case "cancel" -> node.cancel(pid, "please");
            case "terminate" -> node.terminate(pid, "told to");
            case "shutdown" -> {
                stepped.runAll();
                node.host(pid.host()).stop(Duration.ZERO);
            }
            default -> node.send(pid, how, "result");
        }
        stepped.runAll();
    }

    @Nested
    class Monitors {
        @ParameterizedTest
        @CsvSource({
            "done, DONE result",
            "throw, FAILED IllegalStateException",
            "cancel, DONE cancelled",
            "terminate, TERMINATED ProcessTerminatedException",
            "shutdown, DONE cancelled"
        })
        void everyWayOfEndingIsToldExactlyOnce(String how, String told) {
            Pid target = spawn(new Probe(), "b");
            Monitor monitor = node.monitor(watcherPid, target);
            end(target, how);

            assertThat(watcher.ends()).containsExactly("EXIT " + told);
            Signal signal = watcher.signals.get(0);
            assertThat(signal.ref()).isEqualTo(monitor.ref());
            assertThat(signal.from()).isEqualTo(target);
        }

        @Test
        void oneThatIsDeadAlreadyIsToldAtOnce() {
            Pid target = spawn(new Probe(), "b");
            tell(target, "done");
            node.monitor(watcherPid, target);
            stepped.runAll();
            assertThat(watcher.ends()).containsExactly("EXIT TERMINATED NoSuchProcessException");
        }

        @Test
        void severalMonitorsOfOneAreToldApart() {
            Pid target = spawn(new Probe(), "a");
            List<Long> refs = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                refs.add(node.monitor(watcherPid, target).ref());
            }
            tell(target, "done");
            assertThat(watcher.signals).extracting(Signal::ref).containsExactlyElementsOf(refs);
        }

        @Test
        void afterDemonitorNothingIsTold() {
            Pid target = spawn(new Probe(), "a");
            node.demonitor(node.monitor(watcherPid, target));
            tell(target, "done");
            assertThat(watcher.ends()).isEmpty();
            assertThat(node.host("a").relations().size()).isZero();
        }

        @Test
        void demonitorFlushesASignalThatWaits() {
            Pid target = spawn(new Probe(), "b");
            Monitor monitor = node.monitor(watcherPid, target);
            node.terminate(target, "now");
            stepped.hosts().get("b").runAll(); // the signal waits, the watcher has not run
            node.demonitor(monitor);
            stepped.runAll();
            assertThat(watcher.ends()).isEmpty();
        }

        @Test
        void oneSpawnedWithAMonitorIsWatchedFromItsFirstStep() {
            Spawned spawned = node.spawn(Spawn.of(Crash::new).on("b").monitoredBy(watcherPid));
            stepped.runAll();
            assertThat(watcher.ends()).containsExactly("EXIT FAILED IllegalStateException");
            assertThat(watcher.signals.get(0).ref()).isEqualTo(spawned.monitor().ref());
        }

        /** Counts turns: the end itself, and one for each who is told, however many others have relations. */
        @Test
        void anEndCostsWhatItsOwnLinksAndMonitorsDo() {
            List<Pid> crowd = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                crowd.add(node.spawn(Spawn.of(Probe::new).on("a").name("n" + i)).pid());
                node.monitor(watcherPid, crowd.get(i));
                node.link(crowd.get(Math.max(0, i - 1)), crowd.get(i));
            }
            Pid target = spawn(new Probe(), "b");
            for (int i = 0; i < 7; i++) {
                node.monitor(crowd.get(i), target);
            }
            for (int i = 7; i < 10; i++) {
                node.trapExits(crowd.get(i), true);
                node.link(crowd.get(i), target);
            }
            stepped.runAll();
            node.terminate(target, "now");
            assertThat(stepped.runAll()).isEqualTo(1 + 7 + 3);
        }

        @Test
        void aHundredThousandWatchersLeaveOthersOfTheWorkerTheirTurns() {
            Pid target = spawn(new Probe(), "b");
            int watchers = 100_000;
            for (int i = 0; i < watchers; i++) {
                node.monitor(watcherPid, target);
            }
            var turns = new AtomicInteger();
            Pid busy = node.spawn(Spawn.of(() -> Process.of((events, out) -> {
                                turns.incrementAndGet();
                                out.again();
                            }))
                            .on("b"))
                    .pid();
            node.terminate(target, "now");
            var host = stepped.hosts().get("b");
            while (host.scheduler().stats().alive() > 1) {
                host.runOne(0);
            }
            assertThat(turns.get())
                    .as("turns of the other, one for each of the announcer's")
                    .isGreaterThan(400);
            node.terminate(busy, "enough");
            stepped.runAll();
            assertThat(watcher.ends()).hasSize(watchers);
        }

        @Test
        void manyWatchersAreToldInTurns() {
            Pid target = spawn(new Probe(), "b");
            int watchers = 5_000;
            for (int i = 0; i < watchers; i++) {
                node.monitor(watcherPid, target);
            }
            node.terminate(target, "now");
            var host = stepped.hosts().get("b");
            host.runOne(0); // the end itself
            assertThat(host.runOne(0)).as("the first turn of telling").isTrue();
            stepped.hosts().get("a").runAll();
            assertThat(watcher.ends()).hasSizeBetween(1, watchers - 1);
            stepped.runAll();
            assertThat(watcher.ends()).hasSize(watchers);
        }
    }

    @Nested
    class Links {
        private final Probe other = new Probe();

        @ParameterizedTest
        @CsvSource({"throw, false", "terminate, false", "done, true", "cancel, true"})
        void anAbnormalEndEndsTheLinkedOneToo(String how, boolean lives) {
            Pid a = spawn(new Probe(), "a");
            Pid b = spawn(other, "b");
            node.link(a, b);
            end(a, how);
            assertThat(node.find(b).isPresent()).isEqualTo(lives);
            assertThat(node.host("a").relations().size()).isZero();
            assertThat(node.host("b").relations().size()).isZero();
        }

        @Test
        void oneThatTrapsIsToldInstead() {
            Pid a = spawn(new Probe(), "a");
            Pid b = spawn(other, "b");
            node.trapExits(b, true);
            node.link(a, b);
            end(a, "throw");
            assertThat(node.find(b)).isPresent();
            assertThat(other.ends()).containsExactly("LINK_DOWN FAILED IllegalStateException");
        }

        @Test
        void theEndGoesAlongAChain() {
            List<Pid> chain = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                chain.add(spawn(new Probe(), i % 2 == 0 ? "a" : "b"));
                if (i > 0) {
                    node.link(chain.get(i - 1), chain.get(i));
                }
            }
            end(chain.get(0), "throw");
            assertThat(chain).noneMatch(pid -> node.find(pid).isPresent());
        }

        @Test
        void aLinkToOneThatIsDeadEndsTheLiving() {
            Pid a = spawn(new Probe(), "a");
            Pid b = spawn(other, "b");
            end(a, "done");
            node.link(a, b);
            stepped.runAll();
            assertThat(node.find(b)).isEmpty();
        }

        @Test
        void anUnlinkedOneGoesOn() {
            Pid a = spawn(new Probe(), "a");
            Pid b = spawn(other, "b");
            node.link(a, b);
            node.unlink(b, a);
            end(a, "throw");
            assertThat(node.find(b)).isPresent();
        }

        /** So many are told in turns, and this one's has not come. */
        @Test
        void oneThatIsUnlinkedBeforeItIsToldGoesOn() {
            Pid a = spawn(new Probe(), "a");
            Pid last = null;
            for (int i = 0; i <= Lifecycle.TOLD_AT_ONCE_MAX; i++) {
                last = node.spawn(Spawn.of(Probe::new).on("b")).pid();
                node.link(a, last);
            }
            stepped.runAll();
            node.terminate(a, "now");
            while (node.find(a).isPresent()) {
                stepped.hosts().get("a").runOne(0);
            }
            node.unlink(last, a);
            stepped.runAll();
            assertThat(node.find(last)).isPresent();
            assertThat(stepped.hosts().get("b").scheduler().stats().alive()).isEqualTo(1);
        }

        @Test
        void oneSpawnedWithALinkIsLinkedFromItsFirstStep() {
            BiConsumer<NodeContext, Object> spawnCrash =
                    (context, out) -> context.spawnLinked(Spawn.of(Crash::new).on("b"));
            node.send(watcherPid, "do", spawnCrash);
            stepped.runAll();
            assertThat(node.find(watcherPid)).isEmpty();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Event;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessExit;
import dev.treadle.SchedulerListener;
import dev.treadle.Signal;
import dev.treadle.relay.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One name, one process. */
class NamesTest {
    private final SteppedNode stepped = Node.builder()
            .host("a", host -> host.workers(1))
            .host("b", host -> host.workers(1))
            .stepped();
    private final Node node = stepped.node();
    private final Names names = node.names();

    @AfterEach
    void close() {
        stepped.close();
    }

    private Pid spawn(Process process, String host) {
        Pid pid = node.spawn(Spawn.of(() -> process).on(host)).pid();
        stepped.runAll();
        return pid;
    }

    @Test
    void aNameIsForOneAndAProcessMayHaveSeveral() {
        Pid a = spawn(new Probe(), "a");
        Pid b = spawn(new Probe(), "b");
        assertThat(names.register("x", a)).contains(a);
        assertThat(names.register("x", b)).as("who has it").contains(a);
        assertThat(names.register("x", a)).as("again").contains(a);
        assertThat(names.register("y", a)).contains(a);
        assertThat(names.all()).containsOnlyKeys("x", "y").containsEntry("x", a);
        assertThat(names.unregister("x")).contains(a);
        assertThat(names.unregister("x")).isEmpty();
        assertThat(names.register("x", b)).contains(b);
        node.terminate(a, "now");
        stepped.runAll();
        assertThat(names.all()).as("b keeps what it got").containsOnlyKeys("x");
    }

    @Test
    void theDeadCannotHaveOne() {
        Pid dead = spawn(new Crash(), "a");
        assertThat(names.register("x", dead)).isEmpty();
        assertThat(names.register("x", Pid.of("nowhere", 1))).isEmpty();
        assertThat(names.size()).isZero();
        assertThatThrownBy(() -> names.register(" ", dead)).hasMessageContaining("must not be blank");
    }

    @Test
    void itIsFreeBeforeListenersHearOfTheEnd() {
        var heldThen = new ArrayList<String>();
        var world = new AtomicReference<Node>();
        SchedulerListener listener = new SchedulerListener() {
            @Override
            public void onComplete(ProcessExit exit) {
                heldThen.addAll(world.get().names().all().keySet());
                heldThen.add("ended");
            }
        };
        try (SteppedNode other = Node.builder()
                .schedulers(settings -> settings.listener(listener))
                .stepped()) {
            world.set(other.node());
            Pid holder = other.node().spawn(Spawn.of(Probe::new)).pid();
            other.node().names().register("x", holder);
            other.node().terminate(holder, "now");
            other.runAll();

            assertThat(heldThen).containsExactly("ended");
        }
    }

    @Test
    void itIsFreeBeforeMonitorsHearOfTheEnd() {
        Pid holder = spawn(new Probe(), "a");
        names.register("x", holder);
        List<Object> seen = new ArrayList<>();
        Pid watcher = spawn(
                Process.of((events, out) -> {
                    for (Event event : events) {
                        if (event instanceof Signal signal && !signal.isCancel()) {
                            seen.add(names.find("x"));
                        }
                    }
                }),
                "b");
        node.monitor(watcher, holder);
        node.terminate(holder, "now");
        stepped.runAll();
        assertThat(seen).containsExactly(Optional.empty());
    }

    @Test
    void aMessageGoesToWhoeverHasTheName() {
        var first = new Probe();
        var sender = new Probe();
        names.register("x", spawn(first, "a"));
        spawn(sender, "b");
        assertThat(names.send("x", "from outside", null)).isEqualTo(Delivery.DELIVERED);
        assertThat(NodeContext.of(sender.context()).send("x", "from b", null)).isEqualTo(Delivery.DELIVERED);
        assertThat(names.send("no", "hello", null)).isEqualTo(Delivery.NO_SUCH_PROCESS);
        stepped.runAll();
        assertThat(first.seen).containsExactly("from outside", "from b");
    }

    @Test
    void aMillionNamesAreFoundAndGivenBack() {
        int holders = 100;
        int each = 10_000;
        var pids = new ArrayList<Pid>();
        for (int i = 0; i < holders; i++) {
            Pid pid = node.spawn(Spawn.of(Probe::new)).pid();
            pids.add(pid);
            for (int j = 0; j < each; j++) {
                names.register(i + "-" + j, pid);
            }
        }
        assertThat(names.size()).isEqualTo(holders * each);
        for (int j = 0; j < each; j++) {
            assertThat(names.find("7-" + j).orElseThrow()).isSameAs(pids.get(7));
        }
        node.terminate(pids.get(7), "now");
        stepped.runAll();
        assertThat(names.size()).isEqualTo((holders - 1) * each);
        assertThat(names.find("7-0")).isEmpty();
    }
}

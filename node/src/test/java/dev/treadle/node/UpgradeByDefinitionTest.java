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
import dev.treadle.StepOutput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All processes of a definition are replaced in place, without their help. */
class UpgradeByDefinitionTest {
    private final List<String> log = new ArrayList<>();
    private final SteppedNode stepped = Node.builder()
            .host("a", host -> host.workers(2))
            .host("b", host -> host.workers(1))
            .define("shop:other", () -> new Version("other"))
            .stepped();
    private final Node node = stepped.node();

    /** Counts, and says which version it is. */
    private class Version implements Process {
        final String name;
        int count;

        Version(String name) {
            this.name = name;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            if (name.equals("broken")) {
                throw new IllegalStateException("broken");
            }
            count = input.get(0, Integer.class);
            log.add(name + " " + method + " " + count);
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (event instanceof Message message) {
                    count++;
                    log.add(name + " " + message.topic() + " " + count);
                } else {
                    out.done();
                }
            }
        }
    }

    private final class Keeping extends Version implements Upgradable {
        Keeping(String name) {
            super(name);
        }

        @Override
        public Payloads handOver() {
            return Payloads.of(count);
        }
    }

    @BeforeEach
    void define() {
        node.definitions().define("shop:book", () -> new Version("v1"));
    }

    @AfterEach
    void close() {
        stepped.close();
    }

    private Pid spawn(String definition, String host) {
        Pid pid = node.spawn(Spawn.definition(definition).on(host).method("open", 10))
                .pid();
        stepped.runAll();
        log.clear();
        return pid;
    }

    @Test
    void allOfADefinitionAndNoOthersAreReplacedAndKeepAddressNameAndMailbox() {
        Pid a = spawn("shop:book", "a");
        Pid b = spawn("shop:book", "b");
        spawn("shop:other", "a");
        node.names().register("book", a);
        node.definitions().define("shop:book", () -> new Version("v2"));
        node.send(a, "waits", null);
        assertThat(node.upgrade("shop:book")).isEqualTo(2);
        stepped.runAll();
        assertThat(log).containsExactlyInAnyOrder("v2 open 10", "v2 open 10", "v2 waits 11");
        node.names().send("book", "hello", null);
        node.send(b, "hello", null);
        stepped.runAll();
        assertThat(log).endsWith("v2 hello 12", "v2 hello 11");
        assertThat(node.upgrade("shop:book")).as("they are of it still").isEqualTo(2);
    }

    @Test
    void oneThatIsUpgradableHandsOverItsState() {
        node.definitions().define("shop:book", () -> new Keeping("v1"));
        Pid pid = spawn("shop:book", "a");
        node.send(pid, "one", null);
        stepped.runAll();
        node.definitions().define("shop:book", () -> new Keeping("v2"));
        node.upgrade("shop:book");
        stepped.runAll();
        assertThat(log).endsWith("v2 upgrade 11");
    }

    @Test
    void oneThatFailsEndsAndWatchersAreTold() {
        Pid pid = spawn("shop:book", "a");
        var watcher = new Probe();
        node.monitor(node.spawn(Spawn.of(() -> watcher)).pid(), pid);
        node.definitions().define("shop:book", () -> new Version("broken"));
        assertThat(node.upgrade("shop:book")).isEqualTo(1);
        stepped.runAll();
        assertThat(watcher.ends()).containsExactly("EXIT FAILED IllegalStateException");
        assertThat(node.upgrade("shop:book")).isZero();
    }

    @Test
    void oneThatIsBeingStartedIsReplacedWhenItHasStarted() {
        var told = new ArrayList<Integer>();
        node.definitions().define("shop:book", () -> {
            if (told.isEmpty()) {
                told.add(0);
                Process old = new Version("v1");
                told.set(0, node.upgrade("shop:book")); // meanwhile
                return old;
            }
            return new Version("v2");
        });
        node.spawn(Spawn.definition("shop:book").method("open", 1));
        stepped.runAll();
        assertThat(told).containsExactly(1);
        assertThat(log).containsExactly("v1 open 1", "v2 open 1");
    }

    /** The new one would start its children while those of the old one still run. */
    @Test
    void aSupervisorIsRefusedByNameAndNobodyOfItsDefinitionIsTold() {
        node.definitions().define("shop:all", () -> new Version("v1"));
        Pid plain = spawn("shop:all", "a");
        var child = new Probe();
        node.definitions()
                .define(
                        "shop:all",
                        () -> Supervisor.of(SupervisorSpec.oneForOne().child("c", Spawn.of(() -> child))));
        Pid supervisor = node.spawn(Spawn.definition("shop:all").on("b")).pid();
        stepped.runAll();

        assertThatThrownBy(() -> node.upgrade("shop:all"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("\"shop:all\"", supervisor.toString(), "a supervisor", "cancel it");
        stepped.runAll();
        assertThat(log).as("the other one goes on as it was").isEmpty();
        assertThat(node.find(plain)).isPresent();
        assertThat(node.tree().supervisors().get(0).children()).hasSize(1);
    }

    @Test
    void anUnknownDefinitionAndAStoppedHost() {
        assertThatThrownBy(() -> node.upgrade("shop:no")).hasMessageContaining("\"shop:no\" is not known");
        spawn("shop:book", "b");
        node.host("b").stop(Duration.ZERO);
        assertThat(node.upgrade("shop:book")).isZero();
    }
}

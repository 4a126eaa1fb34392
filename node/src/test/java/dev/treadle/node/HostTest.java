// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.Completion;
import dev.treadle.DeadLetter;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.SchedulerListener;
import dev.treadle.SubmissionRefusedException;
import dev.treadle.command.Ask;
import dev.treadle.relay.Delivery;
import dev.treadle.relay.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hosts: own workers and limits, who may send and run what, attached receivers, stop and start. */
class HostTest {
    private record Beep() implements Command {}

    private record Boom() implements Command {}

    private final CommandRegistry handlers = new CommandRegistry()
            .register(Beep.class, (command, receiver) -> receiver.complete("beep"))
            .register(Boom.class, (command, receiver) -> receiver.complete("boom"));
    private final List<String> deadLetters = new ArrayList<>();
    private final SteppedNode stepped = Node.builder()
            .name("shop")
            .host(
                    "users",
                    host -> host.workers(3)
                            .maxProcesses(4)
                            .scheduler(scheduler -> scheduler.listener(burying("users"))))
            .host(
                    "safe",
                    host -> host.workers(1)
                            .handlers(handlers)
                            .allowCommands(Beep.class)
                            .allowSenders("admin"))
            .host("admin", host -> host.workers(2).scheduler(scheduler -> scheduler.listener(burying("admin"))))
            .stepped();
    private final Node node = stepped.node();

    @AfterEach
    void close() {
        stepped.close();
    }

    private SchedulerListener burying(String host) {
        return new SchedulerListener() {
            @Override
            public void onDeadLetter(DeadLetter letter) {
                deadLetters.add(host + ": " + letter.envelope().topic() + " " + letter.reason());
            }
        };
    }

    private Pid spawn(Process process, String host) {
        Pid pid = node.spawn(Spawn.of(() -> process).on(host)).pid();
        stepped.runAll();
        return pid;
    }

    private void run(Pid pid, BiConsumer<NodeContext, dev.treadle.StepOutput> what) {
        node.send(pid, "do", what);
        stepped.runAll();
    }

    @Test
    void eachHasItsOwnWorkersAndLimits() {
        assertThat(stepped.hosts().get("users").workers()).isEqualTo(3);
        assertThat(stepped.hosts().get("safe").workers()).isEqualTo(1);
        for (int i = 0; i < 4; i++) {
            spawn(new Probe(), "users");
        }
        assertThatThrownBy(() -> spawn(new Probe(), "users"))
                .isInstanceOf(SubmissionRefusedException.class)
                .hasMessageContaining("\"users\" has 4 processes");
        assertThat(spawn(new Probe(), "admin").host()).isEqualTo("admin");
    }

    @Test
    void aCommandThatIsNotAllowedFailsAndSaysWhichHostAndCommand() {
        var answers = new ArrayList<Completion>();
        spawn(
                Process.of((events, out) -> {
                    events.forEach(event -> answers.add((Completion) event));
                    if (events.isEmpty()) {
                        out.yield(new Beep(), 1);
                        out.yield(new Boom(), 2);
                    }
                }),
                "safe");
        assertThat(answers).extracting(Completion::tag).containsExactly(1L, 2L);
        assertThat(answers.get(0).data()).isEqualTo("beep");
        assertThat(answers.get(1).error())
                .isInstanceOf(NotAllowedException.class)
                .hasMessageContaining("host \"safe\" does not allow command " + Boom.class.getTypeName())
                .hasMessageContaining("allowCommands");
    }

    @Test
    void aSenderThatIsNotAllowedIsRefusedAndAnAskerIsToldWhy() {
        var target = new Probe();
        Pid safe = spawn(target, "safe");
        var probe = new Probe();
        Pid user = spawn(probe, "users");
        var delivered = new ArrayList<Delivery>();
        run(user, (context, out) -> {
            delivered.add(probe.context().send(safe, "hello", null));
            delivered.add(probe.context().send(Pid.of("shop", "safe", safe.id()), "hello", null));
        });
        assertThat(delivered).containsExactly(Delivery.REFUSED, Delivery.REFUSED);
        assertThat(target.seen).isEmpty();
        assertThat(deadLetters).containsExactly("users: hello REFUSED", "users: hello REFUSED");

        var answers = new ArrayList<Completion>();
        spawn(
                Process.of((events, out) -> {
                    events.forEach(event -> answers.add((Completion) event));
                    if (events.isEmpty()) {
                        out.yield(new Ask(safe, "hello", null), 1, Duration.ofSeconds(1));
                    }
                }),
                "users");
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0).error())
                .isInstanceOf(NotAllowedException.class)
                .hasMessageContaining("host \"safe\" does not take messages from host \"users\"")
                .hasMessageContaining("allowSenders");
        assertThat(node.host("users").scheduler().stats().lateAnswers())
                .as("the refusal is the only answer")
                .isZero();
    }

    @Test
    void allowedSendersAndItselfGetThrough() {
        var target = new Probe();
        Pid safe = spawn(target, "safe");
        for (String host : List.of("admin", "safe")) {
            var probe = new Probe();
            run(spawn(probe, host), (context, out) -> probe.context().send(safe, "from " + host, null));
        }
        node.send(safe, "from outside", null);
        stepped.runAll();
        assertThat(target.seen).containsExactly("from admin", "from safe", "from outside");
    }

    /** A host of the same name on another node is another host. */
    @Test
    void aSenderOfAnotherNodeIsNotTakenForOneOfThis() {
        Pid safe = spawn(new Probe(), "safe");
        for (String host : List.of("safe", "admin")) {
            var envelope = new Envelope(safe, Pid.of("elsewhere", host, 7), "hello", null);
            assertThat(node.send(envelope)).as(host).isEqualTo(Delivery.REFUSED);
        }
    }

    @Test
    void anAddressWithTheNameOfThisNodeMeansAProcessHere() {
        var probe = new Probe();
        Pid pid = spawn(probe, "admin");
        Pid named = Pid.of("shop", "admin", pid.id());
        assertThat(node.find(named)).isPresent();
        assertThat(node.send(named, "hello", null)).isEqualTo(Delivery.DELIVERED);
        var watcher = new Probe();
        Pid watcherPid = spawn(watcher, "users");
        node.monitor(Pid.of("shop", "users", watcherPid.id()), named);
        assertThat(node.names().register("it", named)).contains(pid);
        assertThat(node.groups().join("all", named)).isTrue();
        node.link(named, watcherPid);
        node.unlink(watcherPid, named);
        stepped.runAll();
        assertThat(watcher.ends()).as("it lives").isEmpty();
        assertThat(node.terminate(named, "now")).isEqualTo(Delivery.DELIVERED);
        stepped.runAll();
        assertThat(watcher.ends()).containsExactly("EXIT TERMINATED ProcessTerminatedException");
        assertThat(node.find(watcherPid)).as("it was unlinked").isPresent();
        assertThat(node.names().size()).isZero();
        assertThat(node.groups().all()).isEmpty();
    }

    @Test
    void anAddressOfAnotherNodeIsNotHere() {
        Pid pid = spawn(new Probe(), "admin");
        Pid foreign = Pid.of("elsewhere", "admin", pid.id());
        node.attach("far", envelope -> Delivery.DELIVERED);
        assertThat(node.find(foreign)).isEmpty();
        assertThat(node.send(foreign, "hello", null)).isEqualTo(Delivery.NO_SUCH_PROCESS);
        assertThat(node.send(Pid.of("elsewhere", "far", 1), "hello", null)).isEqualTo(Delivery.NO_SUCH_PROCESS);
    }

    @Test
    void aMessageForAHostThatNobodyKnowsIsADeadLetterOfTheSendersHost() {
        var probe = new Probe();
        Pid admin = spawn(probe, "admin");
        run(admin, (context, out) -> probe.context().send(Pid.of("nowhere", 5), "hello", null));
        assertThat(node.send(Pid.of("nowhere", 5), "from outside", null)).isEqualTo(Delivery.NO_SUCH_PROCESS);
        assertThat(deadLetters).containsExactly("admin: hello NO_SUCH_PROCESS", "users: from outside NO_SUCH_PROCESS");
        assertThat(node.host("admin").scheduler().stats().deadLetters()).isEqualTo(1);
    }

    @Test
    void aReceiverCanBeAttachedUnderANameThatIsFree() {
        var got = new ArrayList<Envelope>();
        node.attach("far", envelope -> {
            got.add(envelope);
            return Delivery.DELIVERED;
        });
        var probe = new Probe();
        Pid admin = spawn(probe, "admin");
        run(admin, (context, out) -> probe.context().send(Pid.of("far", 5), "hello", 1));
        assertThat(got).hasSize(1);
        assertThat(got.get(0).sender()).isEqualTo(admin);
        assertThatThrownBy(() -> node.attach("far", envelope -> Delivery.DELIVERED))
                .hasMessageContaining("host \"far\" is taken on node \"shop\"");
        assertThatThrownBy(() -> node.attach("users", envelope -> Delivery.DELIVERED))
                .hasMessageContaining("host \"users\" is taken");
        node.detach("far");
        assertThat(node.send(Pid.of("far", 5), "hello", 1)).isEqualTo(Delivery.NO_SUCH_PROCESS);
    }

    @Test
    void aReceiverCanBeAttachedForAnotherNode() {
        var got = new ArrayList<Envelope>();
        node.attachNode("depot", envelope -> {
            got.add(envelope);
            return Delivery.DELIVERED;
        });
        Pid there = Pid.of("depot", "admin", 5);
        assertThat(node.send(there, "hello", 1)).isEqualTo(Delivery.DELIVERED);
        assertThat(got).extracting(Envelope::target).containsExactly(there);
        assertThatThrownBy(() -> node.attachNode("depot", envelope -> Delivery.DELIVERED))
                .hasMessageContaining("node \"depot\" is this one, or has a receiver already");
        assertThatThrownBy(() -> node.attachNode("shop", envelope -> Delivery.DELIVERED))
                .hasMessageContaining("node \"shop\" is this one");
        node.detachNode("depot");
        assertThat(node.send(there, "hello", 1)).isEqualTo(Delivery.NO_SUCH_PROCESS);
    }

    @Test
    void aHostThatIsStoppedAndStartedUsesNoAddressTwiceAndWatchersAreTold() {
        var watcher = new Probe();
        Pid watcherPid = spawn(watcher, "users");
        Set<Pid> before = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            before.add(spawn(new Probe(), "admin"));
            before.add(node.spawn(Spawn.of(Probe::new).on("admin").name("n" + i).monitoredBy(watcherPid))
                    .pid());
        }
        Host admin = node.host("admin");
        assertThat(admin.stop(Duration.ZERO).ended()).isEqualTo(10);
        stepped.runAll();
        assertThat(watcher.ends()).hasSize(5).containsOnly("EXIT DONE cancelled");
        assertThat(node.names().size()).isZero();
        assertThat(admin.relations().size()).isZero();
        assertThat(admin.isRunning()).isFalse();
        assertThatThrownBy(() -> spawn(new Probe(), "admin")).hasMessageContaining("host \"admin\"");
        assertThat(spawn(new Probe(), "users").host()).as("the others go on").isEqualTo("users");

        admin.start();
        admin.start(); // runs already
        for (int i = 0; i < 5; i++) {
            assertThat(before).doesNotContain(spawn(new Probe(), "admin"));
            assertThat(before)
                    .doesNotContain(node.spawn(Spawn.of(Probe::new).on("admin").name("n" + i))
                            .pid());
        }
        assertThat(before).noneMatch(pid -> node.find(pid).isPresent());
    }

    @Test
    void anUnknownHostAndANodeThatIsShutDownSaySo() {
        assertThatThrownBy(() -> node.host("no"))
                .hasMessageContaining("host \"no\" is not one of node \"shop\", which has [users, safe, admin]");
        Host users = node.host("users");
        assertThat(node.shutdown(Duration.ZERO)).containsOnlyKeys("users", "safe", "admin");
        assertThat(node.shutdown(Duration.ZERO)).as("nothing left to stop").isEmpty();
        assertThatThrownBy(users::start).hasMessageContaining("node \"shop\" has been shut down");
    }
}

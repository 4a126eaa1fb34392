// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.DeadLetter;
import dev.treadle.Event;
import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.SchedulerListener;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Groups: who is in, who is told, and that copies are of one moment. */
class GroupsTest {
    /** What a listener for dead letters does; it may call the node. */
    private final AtomicReference<Runnable> onDeadLetter = new AtomicReference<>(() -> {});

    private final SteppedNode stepped = Node.builder()
            .host("a", host -> host.workers(2))
            .host("b", host -> host.workers(1))
            .schedulers(builder -> builder.listener(new SchedulerListener() {
                @Override
                public void onDeadLetter(DeadLetter letter) {
                    onDeadLetter.get().run();
                }
            }))
            .stepped();
    private final Node node = stepped.node();
    private final Groups groups = node.groups();

    @AfterEach
    void close() {
        stepped.close();
    }

    private Pid spawn(Process process, String host) {
        Pid pid = node.spawn(Spawn.of(() -> process).on(host)).pid();
        stepped.runAll();
        return pid;
    }

    /** Follows a group by what it is told. */
    private Process follower(Set<Pid> view) {
        return Process.of((events, out) -> {
            for (Event event : events) {
                if (event instanceof Message message && message.topic().equals(Groups.TOPIC)) {
                    var change = message.payload(Groups.Change.class);
                    boolean news = change.joined() ? view.add(change.member()) : view.remove(change.member());
                    assertThat(news).as("%s is news", change).isTrue();
                }
            }
        });
    }

    @Test
    void membersJoinAndLeaveAndTheEndLeavesAll() {
        Pid a = spawn(new Probe(), "a");
        Pid b = spawn(new Probe(), "b");
        assertThat(groups.join("x", a)).isTrue();
        assertThat(groups.join("x", b)).isTrue();
        groups.join("x", a);
        groups.join("y", b);
        assertThat(groups.members("x")).containsExactly(a, b);
        groups.leave("x", a);
        groups.leave("x", a);
        assertThat(groups.members("x")).containsExactly(b);
        node.terminate(b, "now");
        stepped.runAll();
        assertThat(groups.all()).isEmpty();
        assertThat(groups.join("x", b)).as("the dead cannot join").isFalse();
        assertThat(groups.members("x")).isEmpty();
        assertThat(node.host("b").relations().size()).isZero();
        assertThatThrownBy(() -> groups.join("", a)).hasMessageContaining("must not be blank");
    }

    @Test
    void aBroadcastReachesAllMembersAndCountsThem() {
        var probes = List.of(new Probe(), new Probe(), new Probe());
        probes.forEach(probe -> groups.join("x", spawn(probe, "b")));
        assertThat(groups.broadcast("x", "hello", null)).isEqualTo(3);
        assertThat(groups.broadcast("no", "hello", null)).isZero();
        stepped.runAll();
        node.terminate(groups.members("x").get(0), "now");
        stepped.runAll();
        assertThat(NodeContext.of(probes.get(1).context()).broadcast("x", "again", null))
                .isEqualTo(2);
        stepped.runAll();
        assertThat(probes).extracting(probe -> probe.seen.size()).containsExactly(1, 2, 2);
    }

    @Test
    void aWatcherHasTheMembersAndThenEachChangeOnce() {
        Pid early = spawn(new Probe(), "a");
        groups.join("x", early);
        Set<Pid> view = new LinkedHashSet<>();
        Pid watcher = spawn(follower(view), "b");
        view.addAll(groups.watch("x", watcher));
        assertThat(view).containsExactly(early);
        for (int i = 0; i < 20; i++) {
            groups.join("x", spawn(new Probe(), i % 2 == 0 ? "a" : "b"));
        }
        groups.leave("x", early);
        node.terminate(groups.members("x").get(3), "now");
        stepped.runAll();
        assertThat(view).containsExactlyElementsOf(groups.members("x")).hasSize(19);
        groups.unwatch("x", watcher);
        groups.join("x", early);
        stepped.runAll();
        assertThat(view).doesNotContain(early);
        assertThat(node.find(watcher)).as("all of it was news").isPresent();
    }

    @Test
    void aWatcherThatEndsIsForgotten() {
        Pid watcher = spawn(new Probe(), "a");
        groups.watch("x", watcher);
        groups.watch("x", watcher);
        node.terminate(watcher, "now");
        stepped.runAll();
        assertThat(node.host("a").relations().size()).isZero();
        assertThat(groups.watch("x", watcher)).isEmpty();
        assertThat(node.host("a").relations().size()).isZero();
    }

    /** To tell a watcher can fail, and a listener that hears of it is user code: no lock may be held. */
    @Test
    void aListenerThatIsToldOfARefusedNoticeMayUseTheNode() {
        Pid member = spawn(new Probe(), "a");
        Pid watcher = node.spawn(Spawn.of(Probe::new).with(submission -> submission.mailboxCapacity(1)))
                .pid();
        groups.watch("x", watcher);
        node.send(watcher, "fills the mailbox", null);
        var calls = new ArrayList<Boolean>();
        onDeadLetter.set(() -> {
            calls.add(groups.join("y", member));
            node.names().register("z", member);
            groups.leave("x", member);
        });
        groups.join("x", member);
        assertThat(calls).contains(true);
        assertThat(groups.members("x")).isEmpty();
        assertThat(groups.members("y")).containsExactly(member);
    }

    @Test
    void aGroupOfAHundredThousand() {
        int members = 100_000;
        for (int i = 0; i < members; i++) {
            groups.join(
                    "big",
                    node.spawn(Spawn.of(() -> Process.of((events, out) -> {}))).pid());
        }
        stepped.runAll();
        assertThat(groups.size("big")).isEqualTo(members);
        List<Pid> all = groups.members("big");
        assertThat(groups.members("big")).as("no second copy").isSameAs(all);
        assertThat(groups.broadcast("big", "hello", null)).isEqualTo(members);
        for (int i = 0; i < members; i += 2) {
            node.terminate(all.get(i), "now");
        }
        stepped.runAll();
        assertThat(groups.size("big")).isEqualTo(members / 2);
        assertThat(all).as("a copy does not change").hasSize(members);
    }
}

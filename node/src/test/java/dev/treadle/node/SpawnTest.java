// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.StepOutput;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The ways to start a process, and what is left when that fails. */
class SpawnTest {
    private static final List<String> INITS = new ArrayList<>();

    private final SteppedNode stepped = Node.builder()
            .host("a", host -> host.workers(1))
            .host("b", host -> host.workers(1))
            .define("test:noting", Noting::new)
            .stepped();
    private final Node node = stepped.node();

    @AfterEach
    void close() {
        stepped.close();
        INITS.clear();
    }

    private Pid spawn(Process process) {
        Pid pid = node.spawn(Spawn.of(() -> process)).pid();
        stepped.runAll();
        return pid;
    }

    /** Writes down how it was started. */
    static final class Noting implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            INITS.add(context.self().host() + " " + context.parent() + " " + method + " " + input);
        }

        @Override
        public void step(Events events, StepOutput out) {}
    }

    private static final class BadInit implements Process {
        private final Runnable before;

        BadInit(Runnable before) {
            this.before = before;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            before.run();
            throw new IllegalArgumentException("bad input");
        }

        @Override
        public void step(Events events, StepOutput out) {}
    }

    @Nested
    class Ways {
        @Test
        void byClassBySupplierAndByDefinition() {
            Spawned first = node.spawn(Spawn.of(Noting.class).method("go", 1, "x"));
            node.spawn(Spawn.of(Noting::new).on("b"));
            node.spawn(Spawn.definition("test:noting").on("b").method("other"));
            assertThat(INITS)
                    .containsExactly(
                            "a null go " + Payloads.of(1, "x"),
                            "b null main " + Payloads.empty(),
                            "b null other " + Payloads.empty());
            assertThat(first.isNew()).isTrue();
            assertThat(first.monitor()).isNull();
        }

        @Test
        void whatCannotBeMadeSaysWhy() {
            assertThatThrownBy(() -> Spawn.of(BadInit.class)).hasMessageContaining("no constructor without parameters");
            assertThatThrownBy(() -> node.spawn(Spawn.definition("test:no")))
                    .hasMessageContaining("\"test:no\" is not known, known are [test:noting]");
            assertThat(node.host("a").relations().size()).isZero();
        }

        @Test
        void aChildIsOnTheHostOfItsParentUnlessToldOtherwise() {
            Pid parent = node.spawn(Spawn.of(Probe::new).on("b")).pid();
            node.send(parent, "do", (java.util.function.BiConsumer<NodeContext, StepOutput>) (context, out) -> {
                context.spawn(Spawn.of(Noting::new));
                context.spawn(Spawn.of(Noting::new).on("a"));
            });
            stepped.runAll();
            assertThat(INITS).containsExactly("b " + parent + " main []", "a " + parent + " main []");
        }

        @Test
        void initialMessagesAreThereBeforeTheFirstStep() {
            var probe = new Probe();
            Spawned spawned = node.spawn(
                    Spawn.of(() -> probe).name("it").message("one", 1).message("two", 2));
            node.send(spawned.pid(), "three", 3);
            stepped.runAll();
            assertThat(probe.seen).containsExactly("one", "two", "three");
        }
    }

    @Nested
    class ByName {
        @Test
        void aHolderIsReturnedAsSuchAndLinkedAndWatched() {
            Pid holder = node.spawn(Spawn.of(Probe::new).name("lobby")).pid();
            var watcher = new Probe();
            Pid watcherPid = spawn(watcher);
            Spawn again = Spawn.of(Noting::new).name("lobby").on("b");
            Spawned spawned = node.spawn(again.monitoredBy(watcherPid).linkedTo(watcherPid));
            assertThat(spawned.isNew()).isFalse();
            assertThat(spawned.pid()).isEqualTo(holder);
            assertThat(INITS).isEmpty();
            node.trapExits(watcherPid, true);
            node.send(holder, "throw", null);
            stepped.runAll();
            assertThat(watcher.ends())
                    .containsExactlyInAnyOrder(
                            "EXIT FAILED IllegalStateException", "LINK_DOWN FAILED IllegalStateException");
            assertThat(node.spawn(again).isNew()).as("the name is free").isTrue();
        }

        /** Its name still stands in the table, but it will never run again. */
        @Test
        void oneThatIsJustEndingGivesItsNameToTheNext() {
            var spawned = new ArrayList<Spawned>();
            Process old = new Process() {
                @Override
                public void init(ProcessContext context, String method, Payloads input) {}

                @Override
                public void step(Events events, StepOutput out) {
                    out.done();
                }

                @Override
                public void close() {
                    spawned.add(node.spawn(Spawn.of(Noting::new).name("it").on("b")));
                }
            };
            node.spawn(Spawn.of(() -> old).name("it"));
            stepped.runAll();
            assertThat(spawned).singleElement().satisfies(next -> {
                assertThat(next.isNew()).isTrue();
                assertThat(node.names().find("it")).contains(next.pid());
            });
        }

        @Test
        void theNameIsTakenWhenInitHasReturned() {
            var seen = new ArrayList<Object>();
            Process inner = new Process() {
                @Override
                public void init(ProcessContext context, String method, Payloads input) {
                    seen.add(node.names().find("it"));
                    // Somebody else is faster.
                    seen.add(node.spawn(Spawn.of(Noting::new).name("it")).isNew());
                }

                @Override
                public void step(Events events, StepOutput out) {}

                @Override
                public void close() {
                    seen.add("closed");
                }
            };
            Spawned spawned = node.spawn(Spawn.of(() -> inner).name("it"));
            assertThat(seen).containsExactly(java.util.Optional.empty(), true, "closed");
            assertThat(spawned.isNew()).as("the faster one is returned").isFalse();
            assertThat(node.names().find("it")).contains(spawned.pid());
            assertThat(INITS).hasSize(1);
            assertThat(node.host("a").relations().size())
                    .as("the loser left nothing")
                    .isEqualTo(1);
        }
    }

    @Nested
    class Failing {
        @Test
        void aFailingInitLeavesNothingBehindAndNobodyIsTold() {
            var watcher = new Probe();
            Pid watcherPid = spawn(watcher);
            node.trapExits(watcherPid, true);
            Spawn spawn = Spawn.of(() -> new BadInit(() -> {}))
                    .on("b")
                    .name("it")
                    .monitoredBy(watcherPid)
                    .linkedTo(watcherPid);
            assertThatThrownBy(() -> node.spawn(spawn)).isInstanceOf(IllegalArgumentException.class);
            stepped.runAll();
            assertThat(node.names().size()).isZero();
            assertThat(node.host("b").relations().size()).isZero();
            node.trapExits(watcherPid, false);
            assertThat(node.host("a").relations().size()).as("no link is left").isZero();
            assertThat(watcher.ends()).isEmpty();
            assertThat(node.spawn(Spawn.of(Probe::new).name("it")).isNew()).isTrue();
        }

        @Test
        void aHostThatIsFullOrStoppedLeavesNothingBehind() {
            node.host("b").stop(java.time.Duration.ZERO);
            assertThatThrownBy(() -> node.spawn(Spawn.of(Probe::new).on("b").name("it")))
                    .hasMessageContaining("host \"b\"");
            assertThat(node.names().size()).isZero();
            assertThat(node.host("b").relations().size()).isZero();
        }
    }

    @Nested
    class Linked {
        @Test
        void toOneThatIsDeadItEnds() {
            Pid dead = spawn(new Crash());
            Pid pid = node.spawn(Spawn.of(Probe::new).on("b").linkedTo(dead)).pid();
            stepped.runAll();
            assertThat(node.find(pid)).isEmpty();
            assertThat(node.host("b").relations().size()).isZero();
        }

        /** The end of the other comes when the new one cannot be told anything yet. */
        @Test
        void toOneThatEndsWhileItIsBeingStartedItEnds() {
            Pid other = spawn(new Probe());
            Process slow = new Process() {
                @Override
                public void init(ProcessContext context, String method, Payloads input) {
                    node.terminate(other, "now");
                    stepped.hosts().get("a").runAll();
                    assertThat(node.find(other)).isEmpty();
                }

                @Override
                public void step(Events events, StepOutput out) {}
            };
            Pid pid = node.spawn(Spawn.of(() -> slow).on("b").linkedTo(other)).pid();
            stepped.runAll();
            assertThat(node.find(pid)).isEmpty();
        }
    }
}

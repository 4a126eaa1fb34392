// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessExit;
import dev.treadle.ProcessFailedException;
import dev.treadle.ProcessRef;
import dev.treadle.Scheduler;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import dev.treadle.Submission;
import dev.treadle.SubmissionRefusedException;
import dev.treadle.node.Node;
import dev.treadle.node.NodeContext;
import dev.treadle.node.Spawn;
import dev.treadle.node.Spawned;
import dev.treadle.node.Upgradable;
import dev.treadle.relay.Envelope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that may happen in the life of a process, recorded and replayed. */
class ReplayLivesTest {
    @TempDir
    Path folder;

    /** What a process of a test does at an event. */
    private interface Reaction {
        void to(Event event, ProcessContext context, StepOutput out) throws Exception;
    }

    private static final class Reacting implements Process {
        private final Reaction reaction;
        private ProcessContext context;

        Reacting(Reaction reaction) {
            this.reaction = reaction;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) throws Exception {
            for (Event event : events) {
                if (is(event, "end")) {
                    out.done();
                } else {
                    reaction.to(event, context, out);
                }
            }
        }
    }

    private static boolean is(Event event, String topic) {
        return event instanceof Message message && message.topic().equals(topic);
    }

    /** Records a process while it reacts to what is done to it. */
    private RecordedLife recorded(Reaction reaction, Deeds deeds) throws Exception {
        Pid pid;
        try (Recorder recorder = Recorder.builder(folder).start();
                Scheduler scheduler = Scheduler.builder()
                        .workers(2)
                        .maxProcesses(2)
                        .service(List.class, List.of("real"))
                        .start()) {
            ProcessRef ref = scheduler.submit(Submission.of(recorder.recording(new Reacting(reaction)), "main")
                    .attribute("trace", "own"));
            pid = ref.pid();
            deeds.to(scheduler, ref);
        }
        return Recording.read(folder).life(pid).orElseThrow();
    }

    private interface Deeds {
        void to(Scheduler scheduler, ProcessRef ref) throws Exception;
    }

    private static ReplayReport replay(RecordedLife life, Reaction reaction) {
        return Replay.of(life).run(() -> new Reacting(reaction));
    }

    @Test
    void whenABugThatEndedAProcessIsFixed_thenTheReplayShowsIt() throws Exception {
        Reaction buggy = (event, context, out) -> {
            if (is(event, "divide")) {
                context.send(context.self(), "quotient", 100 / ((Message) event).payload(Integer.class));
            }
        };
        RecordedLife life = recorded(buggy, (scheduler, ref) -> {
            ref.send("divide", 5);
            ref.send("divide", 0);
            try {
                ref.result().get(30, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(ProcessFailedException.class);
            }
        });

        replay(life, buggy).assertSame();
        Divergence fixed = replay(life, (event, context, out) -> {
                    if (is(event, "divide") && ((Message) event).payload(Integer.class) == 0) {
                        return;
                    }
                    buggy.to(event, context, out);
                })
                .divergence()
                .orElseThrow();
        assertThat(fixed.at()).contains("message \"divide\" 0");
        assertThat(fixed.expected()).isEqualTo("threw java.lang.ArithmeticException: / by zero");
        assertThat(fixed.actual()).isEqualTo("idle");
    }

    @Test
    void whenAProcessIsCancelled_thenTheSignalIsReplayed() throws Exception {
        Reaction reaction = (event, context, out) -> {
            if (event instanceof Signal signal && signal.isCancel()) {
                out.done(signal.reason() + context.isCancelled());
            }
        };
        RecordedLife life = recorded(reaction, (scheduler, ref) -> {
            ref.cancel("enough");
            assertThat(ref.result().get(30, TimeUnit.SECONDS)).isEqualTo("enoughtrue");
        });

        replay(life, reaction).assertSame();
        assertThat(life.text()).contains("signal CANCEL: enough", "isCancelled() gave 1", "done with \"enoughtrue\"");
    }

    @Test
    void whenASpawnIsRefused_thenTheReplayRefusesItTheSameWay() throws Exception {
        Reaction reaction = (event, context, out) -> {
            if (is(event, "spawn")) {
                Process child = Process.of((events, o) -> {});
                Pid first = context.spawn(child, "main", "first").pid();
                try {
                    context.spawn(Submission.of(child, "main", "second").attribute("a", 1));
                } catch (SubmissionRefusedException e) {
                    out.done(List.of(first, e.reason()));
                }
            }
        };
        RecordedLife life = recorded(reaction, (scheduler, ref) -> {
            ref.send("spawn", null);
            ref.result().get(30, TimeUnit.SECONDS);
        });

        replay(life, reaction).assertSame();
        assertThat(life.text()).contains("done with [{main|2}, TOO_MANY_PROCESSES]");
    }

    @Test
    void whenAttributesGoAlong_thenTheReplayHasThem() throws Exception {
        Reaction reaction = (event, context, out) -> {
            if (is(event, "go")) {
                out.done(List.of(
                        event.attributes(),
                        context.carried(),
                        context.attributes(),
                        context.carried().get("trace")));
            }
        };
        RecordedLife life = recorded(reaction, (scheduler, ref) -> {
            scheduler.send(new Envelope(ref.pid(), null, "go", null, Map.of("trace", "message's"), null));
            ref.result().get(30, TimeUnit.SECONDS);
        });

        replay(life, reaction).assertSame();
        assertThat(life.text())
                .contains(
                        "done with [{\"trace\"=\"message's\"}, {\"trace\"=\"message's\"}, {\"trace\"=\"own\"}, \"message's\"]");
    }

    @Test
    void whenARequestIsAnsweredLaterOrFails_thenTheReplayKnowsWhichRequestItWas() throws Exception {
        Function<Boolean, Reaction> swapping = wrong -> new Reaction() {
            private Message first;

            @Override
            public void to(Event event, ProcessContext context, StepOutput out) {
                if (event instanceof Message message && message.isRequest()) {
                    if (first == null) {
                        first = message;
                        return;
                    }
                    context.replyError(wrong ? first : message, new IllegalStateException("no"));
                    out.done(context.reply(wrong ? message : first, "late"));
                }
            }
        };
        RecordedLife life = recorded(swapping.apply(false), (scheduler, ref) -> {
            CompletableFuture<Object> late = ref.ask("one", null, Shop.TIMEOUT);
            CompletableFuture<Object> failed = ref.ask("two", null, Shop.TIMEOUT);
            assertThat(late.get()).isEqualTo("late");
            assertThat(failed).failsWithin(Duration.ofSeconds(30));
            assertThat(ref.result().get()).isEqualTo(true);
        });

        replay(life, swapping.apply(false)).assertSame();
        Divergence divergence = replay(life, swapping.apply(true)).divergence().orElseThrow();
        assertThat(divergence.expected()).isEqualTo("reply to event 2, failed: java.lang.IllegalStateException: no");
        assertThat(divergence.actual()).isEqualTo("reply to event 1, failed: java.lang.IllegalStateException: no");
    }

    @Test
    void whenAServiceIsUsed_thenTheReplayIsStuckWithoutAStandIn() throws Exception {
        Reaction reaction = (event, context, out) -> {
            if (is(event, "use")) {
                try {
                    context.send(
                            context.self(), "got", context.service(List.class).get(0));
                } catch (IllegalStateException e) {
                    out.again(); // not what stops a replay
                }
            }
        };
        RecordedLife life = recorded(reaction, (scheduler, ref) -> {
            ref.send("use", null);
            ref.send("end", null);
            ref.result().get(30, TimeUnit.SECONDS);
        });

        ReplayReport stuck = replay(life, reaction);
        assertThat(stuck.outcome()).isEqualTo(ReplayReport.Outcome.STUCK);
        assertThat(stuck.text())
                .contains("STUCK after 0 events")
                .contains("it asks for the service java.util.List, which is not recorded: give the replay a stand-in");
        Replay.of(life)
                .service(List.class, List.of("real"))
                .run(() -> new Reacting(reaction))
                .assertSame();
        assertThat(Replay.of(life)
                        .service(List.class, List.of("other"))
                        .run(() -> new Reacting(reaction))
                        .divergence()
                        .orElseThrow()
                        .actual())
                .endsWith("\"got\" \"other\"");
    }

    @Test
    void whenAProcessCatchesEverything_thenTheReplayStillStopsAtTheDifference() throws Exception {
        Function<String, Reaction> stubborn = topic -> (event, context, out) -> {
            if (is(event, "go")) {
                try {
                    context.send(context.self(), topic, null);
                } catch (Throwable anything) {
                    context.isCancelled();
                }
            }
        };
        RecordedLife life = recorded(stubborn.apply("a"), (scheduler, ref) -> {
            ref.send("go", null);
            ref.send("end", null);
            ref.result().get(30, TimeUnit.SECONDS);
        });

        Divergence divergence = replay(life, stubborn.apply("b")).divergence().orElseThrow();
        assertThat(divergence.expected()).endsWith("\"a\"");
        assertThat(divergence.actual()).endsWith("\"b\"");
    }

    @Test
    void whenAnotherThreadUsesTheContext_thenThatIsNoPartOfTheRecording() throws Exception {
        Reaction reaction = (event, context, out) -> {
            if (is(event, "go")) {
                var thread = new Thread(() -> context.send(context.self(), "from outside", null));
                thread.start();
                thread.join();
            } else if (is(event, "from outside")) {
                out.done(1);
            }
        };
        RecordedLife life = recorded(reaction, (scheduler, ref) -> {
            ref.send("go", null);
            ref.result().get(30, TimeUnit.SECONDS);
        });

        assertThat(life.text()).contains("message \"from outside\"").doesNotContain("send to");
        replay(life, (event, context, out) -> {
                    if (is(event, "from outside")) {
                        out.done(1);
                    }
                })
                .assertSame();
    }

    /** Counts, and hands over its count. */
    private static final class Handing implements Process, Upgradable {
        private final int by;
        private ProcessContext context;
        private int count;

        Handing(int by) {
            this.by = by;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            count = method.equals(Upgradable.METHOD) ? input.get(0, Integer.class) : 0;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                if (is(event, "add")) {
                    count += by;
                } else if (is(event, "get")) {
                    context.reply((Message) event, count);
                } else if (is(event, "become")) {
                    out.upgrade(new Handing(100), Upgradable.METHOD, count);
                } else if (is(event, "end")) {
                    out.done(count);
                }
            }
        }

        @Override
        public Payloads handOver() {
            return Payloads.of(count);
        }
    }

    @Test
    void whenAProcessIsUpgraded_thenEachLifeIsRecordedAndReplays() throws Exception {
        Pid pid;
        try (Recorder recorder = Recorder.builder(folder).start();
                Node node = Node.builder()
                        .define("handing", recorder.recording(() -> new Handing(1)))
                        .start()) {
            ProcessRef ref = node.spawn(Spawn.definition("handing")).ref();
            pid = ref.pid();
            ref.send("add", null);
            ref.send("become", null); // by itself
            sync(ref);
            ref.send("add", null);
            assertThat(sync(ref)).isEqualTo(101);
            node.definitions().define("handing", recorder.recording(() -> new Handing(10_000)));
            assertThat(node.upgrade("handing")).isEqualTo(1); // by order
            sync(ref);
            ref.send("add", null);
            ref.send("end", null);
            assertThat(ref.result().get(30, TimeUnit.SECONDS)).isEqualTo(10_101);
        }

        Recording recording = Recording.read(folder);
        assertThat(recording.lives()).hasSize(3).allSatisfy(life -> {
            assertThat(life.pid()).contains(pid);
            assertThat(life.type()).contains(Handing.class.getName());
            assertThat(life.missing()).isZero();
        });
        List<Integer> by = List.of(1, 100, 10_000);
        for (int i = 0; i < 3; i++) {
            int each = by.get(i);
            RecordedLife life = recording.lives().get(i);
            Replay.of(life).run(() -> new Handing(each)).assertSame();
            assertThat(Replay.of(life).run(() -> new Handing(7)).isSame())
                    .as("life %d with other code", i)
                    .isFalse();
        }
        assertThat(recording.lives().get(0).text()).contains("upgrade to " + Handing.class.getName() + ", upgrade [1]");
    }

    /** The first reply may come from the step that ends in the upgrade; the second does not. */
    private static Object sync(ProcessRef ref) throws Exception {
        ref.ask("get", null, Shop.TIMEOUT).get();
        return ref.ask("get", null, Shop.TIMEOUT).get();
    }

    @Test
    void whenAProcessUsesItsNode_thenTheReplayNeedsNone() throws Exception {
        Function<String, Reaction> using = name -> (event, context, out) -> {
            NodeContext node = NodeContext.of(context);
            if (is(event, "go")) {
                node.trapExits(true);
                node.join("group");
                Optional<Pid> before = node.register(name);
                Spawned child = node.spawnMonitored(Spawn.of(() -> new Reacting((e, c, o) -> {}))
                        .method("main", 5)
                        .name("child"));
                Spawned again = node.spawn(Spawn.of(Counter::new).name("child"));
                node.send("child", "hello", 1);
                int delivered = node.broadcast("group", "all", null);
                context.send(child.ref().pid(), "end", null);
                context.send(
                        context.self(), "did", List.of(before, child.isNew(), again.isNew(), delivered, again.pid()));
                node.demonitor(node.monitor(context.self()));
                try {
                    node.register("");
                } catch (IllegalArgumentException e) {
                    context.send(context.self(), "refused", e.getMessage());
                }
            } else if (event instanceof Signal signal && signal.exit() != null) {
                out.done(List.of(signal.ref(), signal.exit().isDone()));
            }
        };
        ProcessRef ref;
        try (Recorder recorder = Recorder.builder(folder).start();
                Node node = Node.builder().start()) {
            ref = node.spawn(Spawn.of(recorder.recording(() -> new Reacting(using.apply("boss")))))
                    .ref();
            ref.send("go", null);
            assertThat((List<?>) ref.result().get(30, TimeUnit.SECONDS))
                    .element(1)
                    .isEqualTo(true);
        }

        RecordedLife life = Recording.read(folder).life(ref.pid()).orElseThrow();
        replay(life, using.apply("boss")).assertSame();
        assertThat(life.text())
                .contains("node register [\"boss\"]", "node broadcast [\"group\", \"all\", null]", "\"refused\"");
        Divergence divergence = replay(life, using.apply("chief")).divergence().orElseThrow();
        assertThat(divergence.expected()).isEqualTo("node register [\"boss\"]");
        assertThat(divergence.actual()).isEqualTo("node register [\"chief\"]");
    }

    @Test
    void whenAProcessWatchesAnother_thenHowThatEndedIsReplayed() throws Exception {
        Reaction watching = (event, context, out) -> {
            if (event instanceof Signal signal && signal.kind() == Signal.Kind.EXIT) {
                ProcessExit exit = signal.exit();
                out.done(List.of(exit.pid(), exit.kind(), String.valueOf(exit.reason()), signal.ref()));
            }
        };
        ProcessRef watcher;
        try (Recorder recorder = Recorder.builder(folder).start();
                Node node = Node.builder().start()) {
            watcher = node.spawn(Spawn.of(recorder.recording(() -> new Reacting(watching))))
                    .ref();
            node.spawn(Spawn.of(() -> Process.of((events, out) -> {
                        throw new IllegalStateException("broken");
                    }))
                    .monitoredBy(watcher.pid()));
            watcher.result().get(30, TimeUnit.SECONDS);
        }

        RecordedLife life = Recording.read(folder).life(watcher.pid()).orElseThrow();
        assertThat(life.text()).contains("FAILED, \"java.lang.IllegalStateException: broken\"");
        replay(life, watching).assertSame();
    }
}

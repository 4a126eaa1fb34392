// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.relay.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** An upgrade puts another process in the place of one that runs: what stays, what goes, and in which order. */
class UpgradeTest {
    private final List<String> diary = new CopyOnWriteArrayList<>();
    private final RecordingListener listener = new RecordingListener();

    /** Writes down what happens to it, and does what its messages say. */
    private class Life implements Process {
        final String name;
        ProcessContext context;
        Pid parent;

        Life(String name) {
            this.name = name;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) throws Exception {
            this.context = context;
            this.parent = context.parent();
            diary.add(name + " init " + method + " " + input);
        }

        @Override
        public void step(Events events, StepOutput out) throws Exception {
            diary.add(name + " step " + topics(events));
            for (Event event : events) {
                if (event instanceof Message message) {
                    handle(message, out);
                }
            }
        }

        void handle(Message message, StepOutput out) throws Exception {
            switch (message.topic()) {
                case "upgrade" -> out.upgrade((Process) message.payload(), "second", "x", 1);
                case "done" -> out.done(name);
                case "throw" -> throw new IOException("as told");
                default -> {}
            }
        }

        @Override
        public void close() throws Exception {
            diary.add(name + " close");
        }
    }

    private static List<String> topics(Events events) {
        var topics = new ArrayList<String>();
        events.forEach(event -> topics.add(
                event instanceof Message message
                        ? message.topic()
                        : event.getClass().getSimpleName()));
        return topics;
    }

    private SchedulerBuilder builder(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .eventBudget(1) // so that the messages behind "upgrade" are for the next one
                .shutdownTimeout(Duration.ZERO)
                .listener(listener);
    }

    @AtWorkers
    void addressMailboxParentAttributesAndResultStay(int workers) {
        var first = new Life("first");
        var second = new Life("second");
        try (Scheduler scheduler = builder(workers).start()) {
            var child = new CompletableFuture<ProcessRef>();
            ProcessRef parent = scheduler.submit(
                    new Life("parent") {
                        @Override
                        public void init(ProcessContext context, String method, Payloads input) {
                            child.complete(
                                    context.spawn(Submission.of(first, "first").attribute("tenant", "acme")));
                        }
                    },
                    "main");
            ProcessRef process = Soon.get(child);
            CompletableFuture<Object> result = process.result();
            assertThat(process.send("upgrade", second)).isEqualTo(Delivery.DELIVERED);
            process.send("one", null);
            process.send("two", null);
            process.send("done", null);

            assertThat(Soon.get(result)).isEqualTo("second");
            assertThat(second.context.self()).isEqualTo(process.pid());
            assertThat(second.parent).isEqualTo(parent.pid());
            assertThat(second.context.attributes()).isEqualTo(Map.of("tenant", "acme"));
            assertThat(second.context.method()).isEqualTo("second");
            assertThat(diary).containsSubsequence("second step [one]", "second step [two]", "second step [done]");
            assertThat(listener.deadLetters).isEmpty();
            assertThat(listener.exits).hasSize(1);
            assertThat(listener.starts).as("an upgrade is no start").hasSize(2);
        }
    }

    @AtWorkers
    void theOldOneIsClosedThenTheNewOneInitialisedThenStepped(int workers) {
        try (Scheduler scheduler = builder(workers).start()) {
            ProcessRef process = scheduler.submit(new Life("first"), "main");
            Soon.until("first step", () -> diary.contains("first step []"));
            process.send("upgrade", new Life("second"));
            Soon.until("second's first step", () -> diary.contains("second step []"));
            assertThat(process.inspect().orElseThrow().method()).isEqualTo("second");
            process.send("done", null);
            Soon.exitOf(process);

            assertThat(diary)
                    .containsExactly(
                            "first init main []",
                            "first step []",
                            "first step [upgrade]",
                            "first close",
                            "second init second [x, 1]",
                            "second step []",
                            "second step [done]",
                            "second close");
        }
    }

    /** P4: with messages waiting, the first step of the new one has the first of them, and none is empty. */
    @Test
    void theFirstStepOfTheNewOneTakesWhatWaits() {
        try (SteppedScheduler stepped = builder(1).stepped()) {
            ProcessRef process = stepped.scheduler().submit(new Life("first"), "main");
            process.send("upgrade", new Life("second"));
            process.send("waiting", null);
            stepped.runAll();

            assertThat(diary)
                    .containsExactly(
                            "first init main []",
                            "first step [upgrade]",
                            "first close",
                            "second init second [x, 1]",
                            "second step [waiting]");
        }
    }

    @AtWorkers
    void aFailingInitEndsTheProcessWithThatReason(int workers) {
        var reason = new IOException("no such table");
        try (Scheduler scheduler = builder(workers).start()) {
            ProcessRef process = scheduler.submit(new Life("first"), "main");
            process.send("upgrade", new Life("second") {
                @Override
                public void init(ProcessContext context, String method, Payloads input) throws Exception {
                    super.init(context, method, input);
                    context.send(context.self(), "left behind", null);
                    throw reason;
                }
            });
            ProcessExit exit = Soon.exitOf(process);

            assertThat(exit.kind()).isEqualTo(ProcessExit.Kind.FAILED);
            assertThat(exit.reason()).isSameAs(reason);
            assertThat(diary).endsWith("first close", "second init second [x, 1]", "second close");
            assertThat(diary).filteredOn(entry -> entry.endsWith("close")).hasSize(2);
            assertThat(listener.exits).containsExactly(exit);
            assertThat(listener.deadLetters)
                    .extracting(letter -> letter.envelope().topic())
                    .containsExactly("left behind");
            assertThat(scheduler.inspect(process.pid())).isEmpty();
        }
    }

    @AtWorkers
    void aFailingCloseOfTheOldOneIsReportedAndChangesNothing(int workers) {
        try (Scheduler scheduler = builder(workers).start();
                var log = new LogRecorder()) {
            ProcessRef process = scheduler.submit(
                    new Life("first") {
                        @Override
                        public void close() throws Exception {
                            super.close();
                            throw new IOException("while closing");
                        }
                    },
                    "main");
            process.send("upgrade", new Life("second"));
            process.send("done", null);

            assertThat(Soon.exitOf(process).result()).isEqualTo("second");
            assertThat(scheduler.stats().listenerFailures()).isEqualTo(1);
            assertThat(log.text()).contains("while closing");
        }
    }

    @AtWorkers
    void anUpgradedProcessCanBeUpgradedAgainManyTimes(int workers) {
        int lives = 2_000;
        try (Scheduler scheduler = builder(workers).start()) {
            ProcessRef process = scheduler.submit(chain(lives), "main");

            assertThat(Soon.get(process.result())).isEqualTo("life 0");
            assertThat(diary.stream().filter(entry -> entry.equals("closed"))).hasSize(lives + 1);
        }
    }

    private Process chain(int left) {
        return new Process() {
            @Override
            public void init(ProcessContext context, String method, Payloads input) {}

            @Override
            public void step(Events events, StepOutput out) {
                if (left == 0) {
                    out.done("life 0");
                } else {
                    out.upgrade(chain(left - 1), "main");
                }
            }

            @Override
            public void close() {
                diary.add("closed");
            }
        };
    }

    @Nested
    class GivenOneWorkerRunByHand {
        private final SteppedScheduler stepped = builder(1).stepped();

        private ProcessRef submit(Process process) {
            return stepped.scheduler().submit(process, "main");
        }

        /** P5: the last one said counts. */
        @Test
        void whenTheStepSaysSomethingElseAfterwards_thenThereIsNoUpgrade() {
            ProcessRef process = submit(Process.of((events, out) -> {
                out.upgrade(new Life("second"), "main");
                out.done("no upgrade");
            }));
            stepped.runAll();

            assertThat(Soon.exitOf(process).result()).isEqualTo("no upgrade");
            assertThat(diary).as("neither initialised nor closed").isEmpty();
        }

        @Test
        void whenTheUpgradeIsSaidLast_thenItCounts() {
            submit(Process.of((events, out) -> {
                out.done("never");
                out.upgrade(new Life("second"), "main");
            }));
            stepped.runAll();

            assertThat(diary).containsExactly("second init main []", "second step []");
        }

        /** P6, P7: a step that throws ends the process; the one that did not take over is not closed. */
        @Test
        void whenTheStepThrowsAfterwards_thenThereIsNoUpgrade() {
            ProcessRef process = submit(Process.of((events, out) -> {
                out.upgrade(new Life("second"), "main");
                throw new IOException("changed my mind");
            }));
            stepped.runAll();

            assertThat(Soon.exitOf(process).reason()).hasMessage("changed my mind");
            assertThat(diary).isEmpty();
        }

        /** P4, P5: the new one starts afresh: idle, whatever the old one said before. */
        @Test
        void whenTheNewOneSaysAgain_thenItIsSteppedAgain() {
            submit(Process.of((events, out) -> out.upgrade(
                    new Life("second") {
                        private int steps;

                        @Override
                        public void step(Events events, StepOutput out) throws Exception {
                            super.step(events, out);
                            if (++steps < 3) {
                                out.again();
                            }
                        }
                    },
                    "main")));
            stepped.runAll();

            assertThat(diary)
                    .containsExactly("second init main []", "second step []", "second step []", "second step []");
        }

        /** E2: both are closed once. */
        @Test
        void whenTerminatedWithAnUpgradeBehindIt_thenTheNewOneEndsUnstepped() {
            ProcessRef process = submit(new Life("first"));
            process.send("upgrade", new Life("second"));
            stepped.runOne(0);
            process.terminate();
            stepped.runAll();

            assertThat(diary)
                    .containsExactly(
                            "first init main []",
                            "first step [upgrade]",
                            "first close",
                            "second init second [x, 1]",
                            "second close");
            assertThat(Soon.exitOf(process).kind()).isEqualTo(ProcessExit.Kind.TERMINATED);
        }

        /** M4: a signal that the old one did not read is for the new one. */
        @Test
        void whenCancelledBeforeTheUpgradeIsDone_thenTheNewOneIsTold() {
            ProcessRef process = submit(new Life("first"));
            process.send("upgrade", new Life("second") {
                @Override
                public void init(ProcessContext context, String method, Payloads input) throws Exception {
                    super.init(context, method, input);
                    stepped.scheduler().cancel(context.self(), "meanwhile");
                }
            });
            process.send("waiting", null);
            stepped.runAll();

            assertThat(diary).endsWith("second step [Signal]", "second step [waiting]");
        }
    }
}

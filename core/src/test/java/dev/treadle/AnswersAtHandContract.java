// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal (Y1 to Y4, S4): a process whose commands are answered on the spot goes on at once, and nobody can tell from what
 * it gets. Method: whatever a step may say, and whatever may arrive, while answers are at hand. Catches: an answer that is
 * lost, doubled or out of order because it did not pass the queue, and a process that keeps others waiting.
 */
abstract class AnswersAtHandContract {
    /** Does something first, and then is answered on the spot. */
    record Then(Runnable first) implements Command {}

    /** Returns a registry that answers {@link Echo} and {@link Then} on the spot. */
    abstract CommandRegistry registry();

    final Scheduler start(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .slowStepLimit(Duration.ofMinutes(5)) // no spare worker may help, however slow the machine
                .handlers(registry())
                .start();
    }

    private static String name(Event event) {
        if (event instanceof Completion completion) {
            return "C" + completion.tag();
        }
        return event instanceof Message message ? message.topic() : "signal";
    }

    /** Y2: what arrives between two answers on the spot is handed out between them. */
    @AtWorkers
    void y2_whatArrivesBetweenTwoAnswersStaysBetweenThem(int workers) {
        var got = new ArrayList<String>();
        try (Scheduler scheduler = start(workers)) {
            Process process = new TrackedProcess((events, out) -> {
                if (events.isEmpty()) {
                    return;
                }
                events.forEach(event -> got.add(name(event)));
                if (events.get(0) instanceof Message first && first.topic().equals("go")) {
                    Pid self = first.payload(Pid.class);
                    out.yield(new Echo("a"), 1);
                    out.yield(new Then(() -> scheduler.send(self, "between", null)), 2);
                    out.yield(new Echo("b"), 3);
                } else if (got.size() == 5) {
                    out.done();
                }
            });
            ProcessRef ref = scheduler.submit(process, "main");
            ref.send("go", ref.pid());

            assertThat(ref.result()).succeedsWithin(Soon.LIMIT);
        }
        assertThat(got).containsExactly("go", "C1", "between", "C2", "C3");
    }

    /** Y1, P3: more answers on the spot than one step may get come in order, as many at a time as the budget allows. */
    @AtWorkers
    void y1_moreAnswersThanTheBudgetComeInOrder(int workers) {
        int yields = 200;
        var tags = new ArrayList<Long>();
        var most = new AtomicInteger();
        try (Scheduler scheduler = start(workers)) {
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        if (events.isEmpty()) {
                            IntStream.range(0, yields).forEach(i -> out.yield(new Echo("x"), i));
                            return;
                        }
                        most.accumulateAndGet(events.size(), Math::max);
                        events.forEach(event -> tags.add(((Completion) event).tag()));
                        if (tags.size() == yields) {
                            out.done();
                        } else {
                            out.await();
                        }
                    }),
                    "main");
            assertThat(ref.result()).succeedsWithin(Soon.LIMIT);
        }
        assertThat(tags)
                .isEqualTo(IntStream.range(0, yields).mapToObj(i -> (long) i).toList());
        assertThat(most).hasValue(64);
    }

    /** Y4: a process that is done while an answer is at hand does not get it, and it is counted. */
    @AtWorkers
    void y4_anAnswerAtHandWhenTheProcessIsDoneIsLate(int workers) {
        try (Scheduler scheduler = start(workers)) {
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        out.yield(new Echo("x"), 1);
                        out.done("done");
                    }),
                    "main");
            assertThat(ref.result()).succeedsWithin(Soon.LIMIT).isEqualTo("done");
            Soon.until("counted", () -> scheduler.stats().lateAnswers() == 1);
        }
    }

    /** P5: again() with an answer at hand: the next step gets it, behind what waits. */
    @AtWorkers
    void p5_againWithAnAnswerAtHandGetsItInTheNextStep(int workers) {
        try (Scheduler scheduler = start(workers)) {
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        if (events.isEmpty()) {
                            out.yield(new Echo("x"), 7);
                            out.again();
                        } else {
                            out.done(name(events.get(0)));
                        }
                    }),
                    "main");
            assertThat(ref.result()).succeedsWithin(Soon.LIMIT).isEqualTo("C7");
        }
    }

    /** Y4: an upgrade gets the answers at hand if it keeps the yields, and else they are late. */
    @AtWorkers
    void y4_anUpgradeGetsAnswersAtHandOnlyIfItKeepsTheYields(int workers) {
        try (Scheduler scheduler = start(workers)) {
            for (boolean keeps : new boolean[] {true, false}) {
                Process next = Process.of((events, out) -> {
                    if (!events.isEmpty()) {
                        out.done(name(events.get(0)));
                    }
                });
                ProcessRef ref = scheduler.submit(
                        Process.of((events, out) -> {
                            out.yield(new Echo("x"), 7);
                            if (keeps) {
                                out.upgradeKeepingYields(next, "next");
                            } else {
                                out.upgrade(next, "next");
                            }
                        }),
                        "main");
                if (!keeps) {
                    Soon.until(
                            "the next one is there",
                            () -> scheduler
                                    .inspect(ref.pid())
                                    .orElseThrow()
                                    .method()
                                    .equals("next"));
                    ref.send("end", null);
                }
                assertThat(Soon.get(ref.result())).isEqualTo(keeps ? "C7" : "end");
            }
            Soon.until(
                    "the answer to the one that was replaced",
                    () -> scheduler.stats().lateAnswers() == 1);
        }
    }

    /** E2: what is to end at its next step boundary has no step more, though an answer was at hand before the order. */
    @AtWorkers
    void e2_anAnswerBeforeAnOrderToEndIsNotHandedOutAfterIt(int workers) {
        var steps = new AtomicInteger();
        try (Scheduler scheduler = start(workers)) {
            var itself = new AtomicReference<@Nullable Pid>();
            ProcessRef ref = scheduler.submit(
                    new Process() {
                        @Override
                        public void init(ProcessContext context, String method, Payloads input) {
                            itself.set(context.self());
                        }

                        @Override
                        public void step(Events events, StepOutput out) {
                            steps.incrementAndGet();
                            out.yield(new Echo("before"), 1);
                            out.yield(new Then(() -> scheduler.terminate(Objects.requireNonNull(itself.get()))), 2);
                        }
                    },
                    "main");
            assertThat(ref.result()).failsWithin(Soon.LIMIT);
        }
        assertThat(steps).hasValue(1);
    }

    /** M4, E2: a process that is never without an answer at hand hears a cancel, and ends when it is terminated. */
    @AtWorkers
    void e2_aProcessThatAlwaysHasAnAnswerAtHandHearsACancel(int workers) {
        try (Scheduler scheduler = start(workers)) {
            ProcessRef polite = scheduler.submit(
                    Process.of((events, out) -> {
                        if (!events.isEmpty() && events.get(0) instanceof Signal) {
                            out.done("heard");
                        } else {
                            out.yield(new Echo("x"), 1);
                        }
                    }),
                    "main");
            ProcessRef deaf = scheduler.submit(Process.of((events, out) -> out.yield(new Echo("x"), 1)), "main");
            Soon.until("both run", () -> scheduler.stats().total().steps() > 1_000);
            scheduler.cancel(polite.pid(), "enough");
            scheduler.terminate(deaf.pid());

            assertThat(polite.result()).succeedsWithin(Soon.LIMIT).isEqualTo("heard");
            assertThat(deaf.result()).failsWithin(Soon.LIMIT);
        }
    }

    /** S4: of processes that always have an answer at hand, each takes a few turns in a row and then lets others run. */
    @AtWorkers
    void s4_processesThatAlwaysHaveAnAnswerAtHandShareAWorker(int workers) {
        int rounds = 20_000;
        Map<Integer, Integer> turns = new ConcurrentHashMap<>();
        try (Scheduler scheduler = start(workers)) {
            var ends = new ArrayList<ProcessRef>();
            int processes = 2 * workers;
            for (int i = 0; i < processes; i++) {
                int me = i;
                ends.add(scheduler.submit(
                        Process.of((events, out) -> {
                            int mine = turns.merge(me, 1, Integer::sum);
                            if (mine >= rounds && turns.size() == processes) {
                                out.done();
                            } else {
                                out.yield(new Echo("x"), 1);
                            }
                        }),
                        "main"));
            }
            ends.forEach(end -> assertThat(end.result()).succeedsWithin(Soon.LIMIT));
        }
    }

    /** S4: a process that always has an answer at hand takes at most so many turns in a row while another is ready. */
    @Test
    void s4_aProcessTakesOnlySoManyTurnsInARow() {
        int rounds = 2_000;
        var order = new ArrayList<Integer>(); // one worker: one thread at a time
        var begun = new AtomicInteger();
        try (Scheduler scheduler = start(1)) {
            var ends = new ArrayList<ProcessRef>();
            for (int i = 0; i < 2; i++) {
                int me = i;
                var turns = new AtomicInteger();
                ends.add(scheduler.submit(
                        Process.of((events, out) -> {
                            if (events.isFirst()) {
                                begun.incrementAndGet();
                            }
                            if (begun.get() < 2) {
                                out.yield(new Echo("x"), 1); // the other one is not here yet
                                return;
                            }
                            order.add(me);
                            if (turns.incrementAndGet() == rounds) {
                                out.done();
                            } else {
                                out.yield(new Echo("x"), 1);
                            }
                        }),
                        "main"));
            }
            ends.forEach(end -> assertThat(end.result()).succeedsWithin(Soon.LIMIT));
        }
        int to = Math.min(order.lastIndexOf(0), order.lastIndexOf(1));
        int longest = 0;
        int row = 0;
        for (int i = 0; i <= to; i++) {
            row = i > 0 && order.get(i).equals(order.get(i - 1)) ? row + 1 : 1;
            longest = Math.max(longest, row);
        }
        assertThat(longest).isBetween(2, WorkerQueues.LOOK_TURNS + 1);
    }

    /**
     * S4: while one process always has an answer at hand, a message to another is handled within two looks. Not one: the
     * sender may run as the first turn of a look; the busy one has the last turn of it, and a row of its own; at the next look
     * the other goes behind the busy one, which then has one more row.
     */
    @Test
    void s4_aMessageToAnotherIsHandledWithinTwoLooks() {
        try (Scheduler scheduler = start(1)) {
            var steps = new AtomicInteger();
            ProcessRef busy = scheduler.submit(
                    Process.of((events, out) -> {
                        steps.incrementAndGet();
                        out.yield(new Echo("x"), 1);
                    }),
                    "main");
            ProcessRef other = scheduler.submit(
                    Process.of((events, out) -> {
                        if (!events.isEmpty()) {
                            Message message = (Message) events.get(0);
                            out.done(steps.get() - message.payload(Integer.class));
                        }
                    }),
                    "main");
            Soon.until(
                    "it sleeps",
                    () -> scheduler.inspect(other.pid()).orElseThrow().state() == ProcessInfo.State.IDLE);
            ProcessRef sender = scheduler.submit(
                    Process.of((events, out) -> {
                        other.send("how long", steps.get());
                        out.done();
                    }),
                    "main");
            assertThat(sender.result()).succeedsWithin(Soon.LIMIT);
            assertThat((int) Soon.get(other.result())).isLessThan(2 * WorkerQueues.LOOK_TURNS);
            scheduler.terminate(busy.pid());
        }
    }
}

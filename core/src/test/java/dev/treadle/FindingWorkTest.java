// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.queue.WorkStealingDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S1, S2: where a worker looks for work, in which order, and where work goes. The workers are run by hand, so each turn
 * is one decision. Time stands still, and no test takes more than {@link WorkerQueues#LOOK_TURNS} turns, so no worker looks at
 * the far ends of its queues; FairnessTest is about that.
 */
class FindingWorkTest {
    private final List<String> ran = new ArrayList<>();

    private static SteppedScheduler stepped(int workers) {
        return Scheduler.builder()
                .workers(workers)
                .time(new ManualTime())
                .seed(7)
                .stepped();
    }

    /** Writes down its name at each step, and idles. */
    private Process named(String name) {
        return Process.of((events, out) -> ran.add(name));
    }

    /** Wants two steps. */
    private Process namedAgain(String name) {
        var steps = new AtomicInteger();
        return Process.of((events, out) -> {
            ran.add(name);
            if (steps.incrementAndGet() == 1) {
                out.again();
            }
        });
    }

    /** Starts a child for each name in its one step: the first goes to the next slot, the others to the deque. */
    private Process parentOf(String... children) {
        return new Parent(List.of(children));
    }

    private void runOne(SteppedScheduler scheduler, int worker, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(scheduler.runOne(worker))
                    .as("turn %d finds a process", i)
                    .isTrue();
        }
    }

    private static int queueLength(SteppedScheduler scheduler, int worker) {
        return scheduler.scheduler().stats().workers().get(worker).queueLength();
    }

    private static int globalLength(SteppedScheduler scheduler) {
        return scheduler.scheduler().stats().globalQueueLength();
    }

    private void submitFromOutside(SteppedScheduler scheduler, int count) {
        for (int i = 0; i < count; i++) {
            scheduler.scheduler().submit(named("p" + i), "main");
        }
    }

    private static String[] names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "p" + i).toArray(String[]::new);
    }

    @Test
    void s1_numbersAreTheSpecifiedOnes() {
        assertThat(WorkerQueues.GLOBAL_BATCH)
                .as("up to 16 more from the global queue")
                .isEqualTo(16);
        assertThat(WorkSearch.SPINS_TIGHT).as("< 4: tight loop").isEqualTo(4);
        assertThat(WorkSearch.SPINS_YIELDING).as("4-15: yield; >= 16: block").isEqualTo(16);
        assertThat(WorkerQueues.LOOK_TURNS).as("every 61st turn").isEqualTo(61);
        assertThat(WorkerQueues.LOOK_NANOS).as("every 200 µs").isEqualTo(200_000);
    }

    @Nested
    class S1Order {
        @AtWorkers
        void givenWorkInAllOwnQueues_thenNextThenDequeNewestFirstThenGlobalThenLater(int workers) {
            try (SteppedScheduler scheduler = stepped(workers)) {
                scheduler.scheduler().submit(namedAgain("later"), "main");
                runOne(scheduler, 0, 1);
                scheduler.scheduler().submit(parentOf("next", "older", "newer"), "main");
                runOne(scheduler, 0, 1);
                scheduler.scheduler().submit(named("global"), "main");
                ran.clear();

                runOne(scheduler, 0, 5);

                assertThat(ran).containsExactly("next", "newer", "older", "global", "later");
                assertThat(scheduler.runOne(0)).as("nothing is left").isFalse();
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {2, 8})
        void givenWorkElsewhereToo_thenOthersComeLast(int workers) {
            try (SteppedScheduler scheduler = stepped(workers)) {
                scheduler.scheduler().submit(parentOf("their next", "theirs"), "main");
                runOne(scheduler, 1, 1);
                scheduler.scheduler().submit(namedAgain("later"), "main");
                runOne(scheduler, 0, 1);
                scheduler.scheduler().submit(parentOf("next", "deque"), "main");
                runOne(scheduler, 0, 1);
                scheduler.scheduler().submit(named("global"), "main");
                ran.clear();

                runOne(scheduler, 0, 5);

                assertThat(ran).containsExactly("next", "deque", "global", "later", "theirs");
                assertThat(scheduler.runOne(0))
                        .as("a next slot is not stolen from")
                        .isFalse();
            }
        }

        @Test
        void givenProcessThatSaysAgain_whenMoreSayAgain_thenTheOldestGoesFirst() {
            try (SteppedScheduler scheduler = stepped(1)) {
                scheduler.scheduler().submit(namedAgain("a"), "main");
                scheduler.scheduler().submit(namedAgain("b"), "main");
                scheduler.scheduler().submit(namedAgain("c"), "main");

                runOne(scheduler, 0, 6);

                assertThat(ran).containsExactly("a", "b", "c", "a", "b", "c");
            }
        }
    }

    @Nested
    class S1GlobalQueue {
        @ParameterizedTest
        @CsvSource({"1, 0, 0", "2, 1, 0", "16, 15, 0", "17, 16, 0", "18, 16, 1", "40, 16, 23"})
        void whenPopped_thenOneIsRunAndUpTo16MoreMoveToTheDeque(int submitted, int moved, int left) {
            try (SteppedScheduler scheduler = stepped(2)) {
                submitFromOutside(scheduler, submitted);

                runOne(scheduler, 0, 1);

                assertThat(ran).containsExactly("p0");
                assertThat(queueLength(scheduler, 0)).as("moved").isEqualTo(moved);
                assertThat(globalLength(scheduler)).as("left").isEqualTo(left);
            }
        }

        @AtWorkers
        void givenMoreThanABatch_thenTheyStillRunOldestFirst(int workers) {
            try (SteppedScheduler scheduler = stepped(workers)) {
                submitFromOutside(scheduler, 40);

                runOne(scheduler, 0, 40);

                assertThat(ran).containsExactly(names(0, 40));
            }
        }
    }

    @Nested
    class S1Stealing {
        @ParameterizedTest
        @CsvSource({"1, 1", "2, 1", "3, 2", "8, 4", "9, 5", "63, 32", "64, 32", "100, 32"})
        void whenDequeHolds_thenTheThiefTakesTheOlderHalf(int held, int stolen) {
            assertThat(WorkStealingDeque.TRANSFER_MAX).as("the most at a time").isEqualTo(32);
            try (SteppedScheduler scheduler = stepped(2)) {
                fillDeque(scheduler, held);

                runOne(scheduler, 1, 1);

                assertThat(ran).as("the oldest is run").containsExactly("p0");
                assertThat(queueLength(scheduler, 1)).as("the thief keeps").isEqualTo(stolen - 1);
                assertThat(queueLength(scheduler, 0)).as("the victim keeps").isEqualTo(held - stolen);
                runOne(scheduler, 1, stolen - 1);
                assertThat(ran).as("stolen oldest first").containsExactly(names(0, stolen));
            }
        }

        @Test
        void whenStolen_thenStatsCountTriedWonAndItems() {
            try (SteppedScheduler scheduler = stepped(2)) {
                fillDeque(scheduler, 8);

                runOne(scheduler, 1, 1);

                WorkerStats thief = scheduler.scheduler().stats().workers().get(1);
                assertThat(thief.stealsTried()).as("tried").isEqualTo(1);
                assertThat(thief.stealsWon()).as("won").isEqualTo(1);
                assertThat(thief.itemsStolen()).as("items").isEqualTo(4);
                assertThat(scheduler.scheduler().stats().workers().get(0).stealsTried())
                        .as("the victim did not steal")
                        .isZero();
            }
        }

        @Test
        void givenOnlyProcessesThatSaidAgain_thenHalfOfThoseIsStolen() {
            try (SteppedScheduler scheduler = stepped(2)) {
                for (int i = 0; i < 8; i++) {
                    scheduler.scheduler().submit(namedAgain("p" + i), "main");
                }
                runOne(scheduler, 0, 8);
                ran.clear();

                runOne(scheduler, 1, 1);

                assertThat(queueLength(scheduler, 0)).as("the victim keeps").isEqualTo(4);
                assertThat(queueLength(scheduler, 1)).as("the thief keeps").isEqualTo(3);
            }
        }

        @Test
        void givenSeveralVictims_thenItIsRandomWhoIsFirst() {
            Set<String> firsts = new HashSet<>();
            for (int seed = 0; seed < 200; seed++) {
                ran.clear();
                try (SteppedScheduler scheduler = Scheduler.builder()
                        .workers(4)
                        .time(new ManualTime())
                        .seed(seed)
                        .stepped()) {
                    for (int victim = 1; victim < 4; victim++) {
                        scheduler.scheduler().submit(parentOf("next", "of " + victim), "main");
                        runOne(scheduler, victim, 1);
                    }
                    runOne(scheduler, 0, 1);
                    firsts.add(ran.get(0));
                }
            }
            assertThat(firsts).containsExactlyInAnyOrder("of 1", "of 2", "of 3");
        }

        /** Leaves p0, the oldest, to p(n-1) in the deque of worker 0, and nothing anywhere else. */
        private void fillDeque(SteppedScheduler scheduler, int count) {
            var children = new ArrayList<String>(List.of("handed off"));
            children.addAll(List.of(names(0, count)));
            scheduler.scheduler().submit(new Parent(children), "main");
            runOne(scheduler, 0, 2);
            assertThat(ran).containsExactly("handed off");
            ran.clear();
        }
    }

    @Nested
    class S2WhereWorkGoes {
        @AtWorkers
        void whenSubmittedFromOutside_thenItGoesToTheGlobalQueue(int workers) {
            try (SteppedScheduler scheduler = stepped(workers)) {
                submitFromOutside(scheduler, 3);

                assertThat(globalLength(scheduler)).isEqualTo(3);
                assertThat(scheduler.scheduler().stats().total().queueLength()).isZero();
            }
        }

        @AtWorkers
        void whenWokenFromOutside_thenItGoesToTheGlobalQueueWhoeverRanItLast(int workers) {
            try (SteppedScheduler scheduler = stepped(workers)) {
                ProcessRef woken = scheduler.scheduler().submit(named("woken"), "main");
                runOne(scheduler, 0, 1);

                woken.send("wake", null);

                assertThat(globalLength(scheduler)).isEqualTo(1);
                assertThat(scheduler.scheduler().stats().total().queueLength()).isZero();
            }
        }

        @AtWorkers
        void whenWokenByAWorker_thenItStaysWithThatWorker(int workers) {
            int last = workers - 1;
            try (SteppedScheduler scheduler = stepped(workers)) {
                List<ProcessRef> sleepers = IntStream.range(0, 5)
                        .mapToObj(i -> scheduler.scheduler().submit(named("p" + i), "main"))
                        .toList();
                runOne(scheduler, 0, 5);
                scheduler
                        .scheduler()
                        .submit(Process.of((events, out) -> sleepers.forEach(each -> each.send("wake", null))), "main");

                runOne(scheduler, last, 1);

                assertThat(globalLength(scheduler)).isZero();
                assertThat(queueLength(scheduler, last))
                        .as("four in the deque, and the hand-off in front of it")
                        .isEqualTo(5);
            }
        }

        @Test
        void whenWokenByAWorkerOfAnotherScheduler_thenThatIsFromOutside() {
            try (SteppedScheduler one = stepped(1);
                    SteppedScheduler other = stepped(1)) {
                ProcessRef woken = other.scheduler().submit(named("woken"), "main");
                runOne(other, 0, 1);
                one.scheduler().submit(Process.of((events, out) -> woken.send("wake", null)), "main");

                runOne(one, 0, 1);

                assertThat(globalLength(other)).isEqualTo(1);
                assertThat(globalLength(one)).isZero();
                assertThat(one.runOne(0))
                        .as("it is not in the queues of the waker")
                        .isFalse();
            }
        }
    }

    private final class Parent implements Process {
        private final List<String> children;
        private ProcessContext context;

        Parent(List<String> children) {
            this.children = children;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            children.forEach(child -> context.spawn(named(child), "main"));
            out.done();
        }
    }
}

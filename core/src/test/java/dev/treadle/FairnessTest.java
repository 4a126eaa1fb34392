// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S4: after how many turns each queue has its turn, whatever else keeps a worker busy. The worker is run by hand and time
 * moves only when a step moves it, so the bounds are exact.
 *
 * <p>In each look at the far ends there is a turn for the global queue, then one for the oldest of the deque, then one
 * for the oldest of those that said again(): hence {@link #GLOBAL_MAX} and the two that follow.
 */
class FairnessTest {
    private static final int GLOBAL_MAX = WorkerQueues.LOOK_TURNS;
    private static final int DEQUE_MAX = WorkerQueues.LOOK_TURNS + 1;
    private static final int LATER_MAX = WorkerQueues.LOOK_TURNS + 2;
    private static final int REPEATS = 200;

    private final ManualTime time = new ManualTime();
    private final AtomicLong handled = new AtomicLong();

    /** How long each step of a {@link Pair} takes. */
    private Duration stepTime = Duration.ZERO;

    /** How long each step of the {@link #handler} takes. */
    private Duration handlerTime = Duration.ZERO;

    private SteppedScheduler stepped(int workers) {
        return Scheduler.builder().workers(workers).time(time).seed(7).stepped();
    }

    private Process handler() {
        return Process.of((events, out) -> {
            time.advance(handlerTime);
            handled.addAndGet(events.size());
        });
    }

    private ProcessRef submitIdle(SteppedScheduler scheduler, Process process) {
        ProcessRef ref = scheduler.scheduler().submit(process, "main");
        assertThat(scheduler.runOne(0)).isTrue();
        return ref;
    }

    /** Runs worker 0 until the handler has got so many messages; returns after how many turns. */
    private int turnsUntilHandled(SteppedScheduler scheduler, long messages) {
        int turns = 0;
        while (handled.get() < messages && turns < 100_000) {
            assertThat(scheduler.runOne(0)).isTrue();
            turns++;
        }
        return turns;
    }

    @Nested
    class S4GivenAPairThatKeepsWakingEachOther {
        @Test
        void whenMessagesComeFromOutside_thenEachIsHandledAtTheNextLook() {
            try (SteppedScheduler scheduler = stepped(1)) {
                ProcessRef receiver = submitIdle(scheduler, handler());
                Pair.start(scheduler, FairnessTest.this);
                for (int i = 1; i <= REPEATS; i++) {
                    receiver.send("work", i);

                    assertThat(turnsUntilHandled(scheduler, i))
                            .as("turns until message %d was handled", i)
                            .isLessThanOrEqualTo(GLOBAL_MAX);
                    runTurns(scheduler, i % WorkerQueues.LOOK_TURNS);
                }
            }
        }

        @Test
        void whenMessagesKeepComingFromOutside_thenLooksAreSoManyTurnsApart() {
            try (SteppedScheduler scheduler = stepped(1)) {
                ProcessRef receiver = submitIdle(scheduler, handler());
                Pair.start(scheduler, FairnessTest.this);
                runTurns(scheduler, WorkerQueues.LOOK_TURNS); // all of them are on their way
                receiver.send("work", 1);
                turnsUntilHandled(scheduler, 1);
                for (int i = 2; i <= REPEATS; i++) {
                    receiver.send("work", i);

                    assertThat(turnsUntilHandled(scheduler, i))
                            .as("turns from message %d to the next", i - 1)
                            .isEqualTo(WorkerQueues.LOOK_TURNS);
                }
            }
        }

        @Test
        void whenAnotherWaitsInTheDeque_thenItIsTakenAtTheNextLook() {
            try (SteppedScheduler scheduler = stepped(1)) {
                ProcessRef receiver = submitIdle(scheduler, handler());
                Pair pair = Pair.start(scheduler, FairnessTest.this);
                for (int i = 1; i <= REPEATS; i++) {
                    pair.sendAfterHandOff(receiver);
                    runTurns(scheduler, 1);

                    assertThat(turnsUntilHandled(scheduler, i))
                            .as("turns until message %d was handled", i)
                            .isLessThanOrEqualTo(DEQUE_MAX);
                    runTurns(scheduler, i % WorkerQueues.LOOK_TURNS);
                }
            }
        }

        @Test
        void whenAnotherSaysAgain_thenItIsTakenAtEachLook() {
            try (SteppedScheduler scheduler = stepped(1)) {
                var loop = new Loop();
                scheduler.scheduler().submit(loop, "main");
                Pair.start(scheduler, FairnessTest.this);
                for (int i = 1; i <= REPEATS; i++) {
                    long before = loop.steps;
                    runTurns(scheduler, LATER_MAX);

                    assertThat(loop.steps).as("in round %d", i).isGreaterThan(before);
                }
            }
        }

        @Test
        void whenAllQueuesAreKeptFull_thenEachGetsItsTurnAtEachLook() {
            int looks = 100;
            try (SteppedScheduler scheduler = stepped(1)) {
                ProcessRef receiver = submitIdle(scheduler, handler());
                var atHome = new AtomicLong();
                ProcessRef inDeque =
                        submitIdle(scheduler, Process.of((events, out) -> atHome.addAndGet(events.size())));
                var loop = new Loop();
                scheduler.scheduler().submit(loop, "main");
                Pair pair = Pair.start(scheduler, FairnessTest.this);
                for (int turn = 0; turn < looks * LATER_MAX; turn++) {
                    receiver.send("work", turn);
                    pair.sendAfterHandOff(inDeque);
                    runTurns(scheduler, 1);
                }
                assertThat(handled.get()).as("from outside").isGreaterThanOrEqualTo(looks);
                assertThat(atHome.get()).as("from the deque").isGreaterThanOrEqualTo(looks);
                assertThat(loop.steps)
                        .as("said again, which half of the time is the one of the pair that was put behind")
                        .isGreaterThanOrEqualTo(looks / 3);
                assertThat(pair.steps()).as("the pair itself").isGreaterThanOrEqualTo(looks);
            }
        }

        private void runTurns(SteppedScheduler scheduler, int turns) {
            for (int i = 0; i < turns; i++) {
                assertThat(scheduler.runOne(0)).isTrue();
            }
        }
    }

    @Nested
    class S4GivenADequeThatOnlyGrows {
        private boolean breeding = true;

        /** The oldest of the deque must not have all the turns of a look. */
        @Test
        void whenOneSaysAgain_thenItStillHasItsTurns() {
            try (SteppedScheduler scheduler = stepped(1)) {
                var loop = new Loop();
                scheduler.scheduler().submit(loop, "main");
                scheduler.scheduler().submit(new Breeder(), "main");
                scheduler.runOne(0);
                scheduler.runOne(0);
                long before = loop.steps;
                for (int turn = 0; turn < 50 * WorkerQueues.LOOK_TURNS; turn++) {
                    scheduler.runOne(0);
                }
                assertThat(loop.steps - before)
                        .as("in 50 looks, with more behind it each time")
                        .isGreaterThan(4);
                breeding = false;
            }
        }

        /** Starts two more, and ends. */
        private final class Breeder implements Process {
            private ProcessContext context;

            @Override
            public void init(ProcessContext context, String method, Payloads input) {
                this.context = context;
            }

            @Override
            public void step(Events events, StepOutput out) {
                for (int i = 0; i < 2 && breeding; i++) {
                    context.spawn(new Breeder(), "main");
                }
                out.done();
            }
        }
    }

    @Nested
    class S4GivenStepsThatTakeTime {
        /** 200 µs hold 20 steps of 10 µs, and not one of a millisecond. */
        @ParameterizedTest
        @CsvSource({"1, 61", "10, 20", "100, 2", "200, 1", "1000, 1", "50000, 1"})
        void whenMessagesComeFromOutside_thenEachIsHandledWithinAbout200Micros(int stepMicros, int turnsMax) {
            stepTime = Duration.ofNanos(stepMicros * 1_000L);
            handlerTime = stepTime;

            assertHandledWithin(turnsMax);
        }

        /** A look that judges by the one short step before it would come 61 long steps later. */
        @ParameterizedTest
        @CsvSource({"10, 20", "100, 2", "200, 1", "1000, 1", "50000, 1"})
        void whenShortStepsAreAmongThem_thenEachMessageIsHandledNotMuchLater(int stepMicros, int turnsMax) {
            stepTime = Duration.ofNanos(stepMicros * 1_000L);

            assertHandledWithin(2 * turnsMax);
        }

        private void assertHandledWithin(int turnsMax) {
            try (SteppedScheduler scheduler = stepped(1)) {
                ProcessRef receiver = submitIdle(scheduler, handler());
                Pair.start(scheduler, FairnessTest.this);
                for (int turn = 0; turn < 2 * WorkerQueues.LOOK_TURNS; turn++) {
                    scheduler.runOne(0);
                }
                for (int i = 1; i <= REPEATS; i++) {
                    receiver.send("work", i);

                    assertThat(turnsUntilHandled(scheduler, i))
                            .as("turns until message %d was handled", i)
                            .isLessThanOrEqualTo(turnsMax + 1);
                }
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 17, 60})
        void whenStepsBecomeLong_thenAMessageFromOutsideStillDoesNotWaitForMoreThanALookOfTurns(int turnsBefore) {
            try (SteppedScheduler scheduler = stepped(1)) {
                ProcessRef receiver = submitIdle(scheduler, handler());
                Pair.start(scheduler, FairnessTest.this);
                for (int turn = 0; turn < 2 * WorkerQueues.LOOK_TURNS + turnsBefore; turn++) {
                    scheduler.runOne(0);
                }
                stepTime = Duration.ofMillis(1);
                receiver.send("work", 1);

                assertThat(turnsUntilHandled(scheduler, 1)).isLessThanOrEqualTo(GLOBAL_MAX);
            }
        }
    }

    @Nested
    class S4GivenProcessesThatSayAgainForEver {
        @Test
        void whenAMessageComesFromOutside_thenItIsHandledWithin100StepsOfTheirs() {
            try (SteppedScheduler scheduler = stepped(1)) {
                ProcessRef receiver = submitIdle(scheduler, handler());
                var loop = new Loop();
                scheduler.scheduler().submit(loop, "main");
                for (int i = 1; i <= REPEATS; i++) {
                    long before = loop.steps;
                    receiver.send("work", i);
                    turnsUntilHandled(scheduler, i);

                    assertThat(loop.steps - before).as("steps meanwhile").isLessThanOrEqualTo(100);
                }
            }
        }

        /** The workers run about as often as each other, so differences come from the scheduler, not from the machine. */
        @ParameterizedTest
        @CsvSource({"3, 2", "12, 8", "9, 8", "17, 8"})
        void whenTheyDoNotDivideEvenly_thenTheSlowestRunsAtLeastHalfAsOftenAsTheFastest(int processes, int workers) {
            try (SteppedScheduler scheduler = stepped(workers)) {
                List<Loop> loops = Stream.generate(Loop::new).limit(processes).toList();
                loops.forEach(loop -> scheduler.scheduler().submit(loop, "main"));
                var random = new SplittableRandom(7);
                for (int turn = 0; turn < 20_000 * workers; turn++) {
                    scheduler.runOne(random.nextInt(workers));
                }
                List<Long> steps = loops.stream().map(loop -> loop.steps).toList();
                assertThat(2 * min(steps)).as("twice the slowest of %s", steps).isGreaterThanOrEqualTo(max(steps));
            }
        }

        private static long min(List<Long> steps) {
            return steps.stream().mapToLong(Long::longValue).min().orElseThrow();
        }

        private static long max(List<Long> steps) {
            return steps.stream().mapToLong(Long::longValue).max().orElseThrow();
        }
    }

    @Nested
    class S4GivenOneThatSendsFasterThanOthersTake {
        private static final int SENDS = 1_000;

        private long waiting;
        private long waitingMax;
        private long senderSteps;
        private long takerSteps;

        /** Sends a thousand in each step, sixteen times what a step takes. */
        private Process sender(ProcessRef to) {
            return Process.of((events, out) -> {
                for (int i = 0; i < SENDS; i++) {
                    to.send("more", i);
                }
                senderSteps++;
                waiting += SENDS;
                waitingMax = Math.max(waitingMax, waiting);
                time.advance(stepTime);
                out.again();
            });
        }

        private ProcessRef submitTaker(SteppedScheduler scheduler) {
            Process taker = Process.of((events, out) -> {
                takerSteps++;
                waiting -= events.size();
                time.advance(stepTime);
            });
            return scheduler.scheduler().submit(Submission.of(taker, "main").mailboxCapacity(0));
        }

        private void submitLoops(SteppedScheduler scheduler, int count) {
            for (int i = 0; i < count; i++) {
                scheduler.scheduler().submit(new Loop(time, stepTime), "main");
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 100})
        void whenAllAreOnOneWorker_thenTheMailboxDoesNotGrowWithoutEnd(int senders) {
            try (SteppedScheduler scheduler = stepped(1)) {
                ProcessRef taker = submitTaker(scheduler);
                for (int i = 0; i < senders; i++) {
                    scheduler.scheduler().submit(sender(taker), "main");
                }
                for (int turn = 0; turn < 5_000; turn++) {
                    scheduler.runOne(0);
                }
                assertThat(waitingMax)
                        .as(
                                "messages that waited at the most: one step of each before the first was told, and little more")
                        .isLessThan((senders + 3L) * SENDS);
            }
        }

        /** Steps of more than 100 µs make a look due after each of them. */
        @ParameterizedTest
        @CsvSource({"0, 1", "0, 20", "60, 3", "110, 1", "150, 8", "1000, 1"})
        void whenOthersAreAlwaysReady_thenTheSenderStillHasItsTurns(int stepMicros, int loops) {
            stepTime = Duration.ofNanos(stepMicros * 1_000L);
            try (SteppedScheduler scheduler = stepped(1)) {
                scheduler.scheduler().submit(sender(submitTaker(scheduler)), "main");
                submitLoops(scheduler, loops);
                int turnsMax = LATER_MAX + 3 * (loops + 2);
                for (int i = 1; i <= 10; i++) {
                    long before = senderSteps;
                    for (int turn = 0; turn < turnsMax; turn++) {
                        scheduler.runOne(0);
                    }
                    assertThat(senderSteps).as("steps by round %d", i).isGreaterThan(before);
                }
            }
        }

        /** It would if it had a turn of its own at each look, and the taker shared the other turns with all. */
        @ParameterizedTest
        @CsvSource({"0, 600", "150, 8"})
        void whenManyOthersAreReady_thenTheSenderDoesNotRunMoreOftenThanTheTaker(int stepMicros, int loops) {
            stepTime = Duration.ofNanos(stepMicros * 1_000L);
            try (SteppedScheduler scheduler = stepped(1)) {
                scheduler.scheduler().submit(sender(submitTaker(scheduler)), "main");
                submitLoops(scheduler, loops);
                for (int turn = 0; turn < 2_500; turn++) {
                    scheduler.runOne(0);
                }
                assertThat(senderSteps).isBetween(1L, takerSteps + 2);
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {100, 1_000, 100_000})
        void whenItSendsToItself_thenItHasAsManyTurnsAsOthers(int capacity) {
            try (SteppedScheduler scheduler = stepped(1)) {
                var self = new AtomicReference<ProcessRef>();
                Process process = Process.of((events, out) -> {
                    senderSteps++;
                    for (int i = 0; i < 2 * events.size(); i++) {
                        self.get().send("more", i);
                    }
                });
                self.set(scheduler
                        .scheduler()
                        .submit(Submission.of(process, "main").mailboxCapacity(capacity)));
                self.get().send("first", 0);
                var loop = new Loop();
                scheduler.scheduler().submit(loop, "main");
                for (int turn = 0; turn < 10_000; turn++) {
                    scheduler.runOne(0);
                }
                assertThat(2 * senderSteps).isGreaterThan(loop.steps);
            }
        }
    }

    @Nested
    class S4GivenStepsLongerThanALook {
        private static final int LOOPS = 12;

        /**
         * A look is due after each step here, and each puts one more process in the global queue. A look that began anew
         * before the deque had its turn would find that queue filled for ever.
         */
        @Test
        void whenAllOthersSayAgain_thenTheOldestOfTheDequeHasItsTurns() {
            stepTime = Duration.ofNanos(150_000);
            handlerTime = stepTime;
            try (SteppedScheduler scheduler = stepped(2)) {
                ProcessRef first = scheduler.scheduler().submit(handler(), "main");
                var handledSecond = new AtomicLong();
                ProcessRef second = scheduler
                        .scheduler()
                        .submit(
                                Process.of((events, out) -> {
                                    time.advance(stepTime);
                                    handledSecond.addAndGet(events.size());
                                }),
                                "main");
                runBoth(scheduler, 10);
                for (int i = 0; i < LOOPS; i++) {
                    scheduler.scheduler().submit(new Loop(time, stepTime), "main");
                }
                scheduler
                        .scheduler()
                        .submit(
                                Process.of((events, out) -> {
                                    time.advance(stepTime);
                                    first.send("wake", 0);
                                    second.send("wake", 0); // the next slot is taken: to the deque
                                    out.again();
                                }),
                                "main");
                for (int i = 1; i <= 50; i++) {
                    long before = handledSecond.get();
                    runBoth(scheduler, 10 * LOOPS);
                    assertThat(handledSecond.get()).as("by round %d", i).isGreaterThan(before);
                }
            }
        }

        private void runBoth(SteppedScheduler scheduler, int turns) {
            for (int turn = 0; turn < turns; turn++) {
                scheduler.runOne(0);
                scheduler.runOne(1);
            }
        }
    }

    /** Says again() until it gets an event. */
    private static final class Loop implements Process {
        private final ManualTime time;
        private final Duration stepTime;
        private long steps;

        Loop() {
            this(new ManualTime(), Duration.ZERO);
        }

        Loop(ManualTime time, Duration stepTime) {
            this.time = time;
            this.stepTime = stepTime;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            steps++;
            time.advance(stepTime);
            if (events.isEmpty()) {
                out.again();
            } else {
                out.done();
            }
        }
    }

    /** Two processes that send one message to and fro for ever, until they are cancelled. */
    private static final class Pair {
        private final FairnessTest test;
        private final List<ProcessRef> both = new ArrayList<>();
        private final long[] steps = new long[2];
        private final List<ProcessRef> others = new ArrayList<>();

        private Pair(FairnessTest test) {
            this.test = test;
        }

        static Pair start(SteppedScheduler scheduler, FairnessTest test) {
            var pair = new Pair(test);
            for (int i = 0; i < 2; i++) {
                pair.both.add(test.submitIdle(scheduler, pair.player(i)));
            }
            pair.both.get(0).send("ball", null);
            return pair;
        }

        private Process player(int index) {
            return Process.of((events, out) -> {
                for (Event event : events) {
                    if (event instanceof Signal) {
                        out.done();
                        return;
                    }
                    steps[index]++;
                    test.time.advance(test.stepTime);
                    both.get(1 - index).send("ball", null);
                    others.forEach(other -> other.send("work", null));
                    others.clear();
                }
            });
        }

        /** In the next step, which fills the next slot, send to this one as well: it goes to the deque. */
        void sendAfterHandOff(ProcessRef other) {
            others.add(other);
        }

        long steps() {
            return LongStream.of(steps).sum();
        }
    }
}

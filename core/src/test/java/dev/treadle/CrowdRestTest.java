// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** S4, S5: those that fill a crowded mailbox rest while another worker empties it, but not for long. */
class CrowdRestTest {
    private static final int SENDS = 2 * EventStack.CROWD;

    @Nested
    class GivenAReceiver {
        private static final int WORKER = 3;
        private static final int OTHER = 4;

        private final SteppedScheduler scheduler = Scheduler.builder().stepped();
        private final CrowdRest rest = new CrowdRest(WORKER);
        private final ProcessCell receiver =
                new ProcessCell(scheduler.scheduler(), 77, Submission.of(ProbeProcess.deaf(), "main"), null, 0);
        private long now = Long.MAX_VALUE - 100; // a clock may go round

        @BeforeEach
        void open() {
            assertThat(receiver.open()).isTrue();
            receiver.setWorker(OTHER);
        }

        @AfterEach
        void close() {
            scheduler.close();
        }

        @Test
        void whenNobodyWasCrowded_thenNobodyRests() {
            assertThat(rest.isDue()).isFalse();
            assertThat(rest.holds(now)).isFalse();
            assertThat(rest.isOn()).isFalse();
            assertThat(rest.isReceiverReady()).isFalse();
        }

        @Test
        void whenItIsBusy_thenTheSendersRestForAWhile() {
            rest.crowds(receiver);

            assertThat(rest.holds(now)).isTrue();
            assertThat(rest.isOn()).isTrue();
            assertThat(rest.isReceiverReady()).isTrue();
            assertThat(rest.holds(now + CrowdRest.REST_NANOS_MAX - 1)).isTrue();
            assertThat(rest.holds(now + CrowdRest.REST_NANOS_MAX)).isFalse();
            assertThat(rest.isOn()).isFalse();
            assertThat(rest.holds(now))
                    .as("not again before it is crowded again")
                    .isFalse();
        }

        @Test
        void whenTheyRest_thenTheWorkerOfTheReceiverMayTakeThem() {
            rest.crowds(receiver);
            assertThat(rest.isOnFor(OTHER)).as("before they rest").isFalse();
            assertThat(rest.holds(now)).isTrue();

            assertThat(rest.isOnFor(OTHER)).isTrue();
            assertThat(rest.isOnFor(OTHER + 1)).isFalse();
        }

        /** It may wait among the senders, and then nobody would run it. */
        @Test
        void whenItIsAtTheSameWorker_thenNobodyRests() {
            receiver.setWorker(WORKER);
            rest.crowds(receiver);

            assertThat(rest.holds(now)).isFalse();
        }

        @Test
        void whenItSleepsAtTheFirstLook_thenNobodyRests() {
            assertThat(receiver.sleep(ProcessState.BLOCKED)).isTrue();
            rest.crowds(receiver);

            assertThat(rest.isReceiverReady()).isFalse();
            assertThat(rest.holds(now)).isFalse();
        }

        @Test
        void whenItFallsAsleep_thenTheRestEndsAfterSomeLooks() {
            rest.crowds(receiver);
            assertThat(rest.holds(now)).isTrue();
            assertThat(receiver.sleep(ProcessState.IDLE)).isTrue();

            for (int look = 1; look < CrowdRest.LOOKS_CALM; look++) {
                assertThat(rest.holds(now)).as("look %d", look).isTrue();
            }
            assertThat(rest.holds(now)).isFalse();
            assertThat(rest.isOn()).isFalse();
        }

        @Test
        void whenThereIsSomethingElseToRun_thenTheRestBeginsAnew() {
            rest.crowds(receiver);
            assertThat(rest.holds(now)).isTrue();

            rest.interrupt();

            assertThat(rest.isOn()).isFalse();
            assertThat(rest.holds(now + CrowdRest.REST_NANOS_MAX)).isTrue();
        }

        @Test
        void whenItIsReady_thenALookLetsASenderRunOnceInTheTimeOfARest() {
            rest.crowds(receiver);

            assertThat(rest.isOver(now)).as("the first").isTrue();
            assertThat(rest.isOver(now + CrowdRest.REST_NANOS_MAX - 1)).isFalse();
            assertThat(rest.isOver(now + CrowdRest.REST_NANOS_MAX)).isTrue();
            assertThat(rest.isOver(now + CrowdRest.REST_NANOS_MAX + 1)).isFalse();
        }

        @Test
        void whenItSleeps_thenEachLookLetsASenderRun() {
            rest.crowds(receiver);
            assertThat(rest.isOver(now)).isTrue();
            assertThat(receiver.sleep(ProcessState.BLOCKED)).isTrue();

            assertThat(rest.isOver(now + 1)).isTrue();
            assertThat(rest.isOver(now + 2)).isTrue();
        }

        @Test
        void whenTheSendersAreGone_thenTheRestEnds() {
            rest.crowds(receiver);
            assertThat(rest.holds(now)).isTrue();

            rest.end();

            assertThat(rest.isOn()).isFalse();
            assertThat(rest.isDue()).isFalse();
            assertThat(rest.isReceiverReady()).as("nothing is kept").isFalse();
        }
    }

    /**
     * The receiver holds its worker until the sender has had another turn. No spare worker comes, so the sender has to be taken
     * out of the queue of those that wait behind all others, and run by the other worker. Catches a watchdog that leaves that
     * queue alone.
     */
    @Test
    void whoWaitsBehindAWorkerThatIsHeldUpIsTakenByAnother() throws Exception {
        for (int repeat = 0; repeat < 20; repeat++) {
            runBehindReceiver(false);
        }
    }

    /** The same beside a worker that never sleeps: it rests between the turns of another sender to the same mailbox. */
    @Test
    void whoWaitsBehindAWorkerThatIsHeldUpIsTakenByAnotherThatRests() throws Exception {
        for (int repeat = 0; repeat < 20; repeat++) {
            runBehindReceiver(true);
        }
    }

    /** The receiver holds its worker up until the one that has filled its mailbox, and is ready, has run again. */
    private static void runBehindReceiver(boolean besideAnotherSender) throws Exception {
        var again = new CountDownLatch(1);
        try (Scheduler scheduler = Scheduler.builder()
                .workers(2)
                .slowStepLimit(Duration.ofHours(1))
                .start()) {
            ProcessRef receiver = scheduler.submit(
                    Process.of((events, out) -> {
                        if (events.size() > 1) {
                            again.await();
                            out.done();
                        }
                    }),
                    "main");
            StepFunction sendsOn = (events, out) -> {
                receiver.send("one more", null);
                if (again.getCount() > 0) {
                    out.again();
                } else {
                    out.done();
                }
            };
            if (besideAnotherSender) {
                scheduler.submit(Process.of(sendsOn), "main");
            }
            ProcessRef sender = scheduler.submit(
                    Process.of((events, out) -> {
                        if (events.isFirst()) {
                            for (int i = 0; i < SENDS; i++) {
                                receiver.send("fill", null);
                            }
                            out.again();
                        } else {
                            again.countDown();
                            out.done();
                        }
                    }),
                    "main");
            sender.result().get(60, TimeUnit.SECONDS);
            receiver.result().get(60, TimeUnit.SECONDS);
        } finally {
            again.countDown();
        }
    }

    /** Who fills a crowded mailbox is no work for others: a worker that is about to sleep does not see it. */
    @Test
    void whoFillsACrowdedMailboxIsLeftToItsWorker() {
        try (SteppedScheduler scheduler = Scheduler.builder().workers(2).stepped()) {
            WorkerGroup group = scheduler.scheduler().group;
            WorkerQueues queues = group.workers()[0].queues;
            ProcessCell receiver = cell(scheduler, 70);
            ProcessCell sender = cell(scheduler, 71);
            ProcessCell other = cell(scheduler, 72);
            assertThat(receiver.open()).isTrue();

            queues.crowds(1, receiver);
            queues.pushBehind(1, sender);

            assertThat(queues.hasLast()).isTrue();
            assertThat(group.hasWork()).isFalse();
            queues.pushBehind(2, other);
            assertThat(group.hasWork()).isTrue();
            assertThat(queues.find()).isSameAs(other);
            assertThat(queues.find()).as("when there is nothing else").isSameAs(sender);
            assertThat(queues.hasLast()).isFalse();
        }
    }

    @Test
    void whoWaitsBehindAllOthersAtAShutdownByHandIsEndedByForce() {
        SteppedScheduler stepped = Scheduler.builder().workers(1).stepped();
        Scheduler scheduler = stepped.scheduler();
        ProcessRef receiver = scheduler.submit(Process.of((events, out) -> out.await()), "main");
        scheduler.submit(
                Process.of((events, out) -> {
                    for (int i = events.isFirst() ? SENDS : 1; i > 0; i--) {
                        receiver.send("fill", null);
                    }
                    out.again();
                }),
                "main");

        ShutdownReport report = scheduler.shutdown(Duration.ofSeconds(1));

        assertThat(report.forced()).as("one that is ready never ends by itself").isEqualTo(2);
    }

    private static ProcessCell cell(SteppedScheduler scheduler, long id) {
        return new ProcessCell(scheduler.scheduler(), id, Submission.of(ProbeProcess.deaf(), "main"), null, 0);
    }

    /** Senders rest and are stolen all the time here: none is lost, and what they send arrives in order. */
    @Test
    void aFloodOnTwoWorkersArrivesWhole() throws Exception {
        int senders = 20;
        int turns = 50;
        var wrong = new AtomicLong();
        try (Scheduler scheduler =
                Scheduler.builder().workers(2).mailboxCapacity(0).start()) {
            var next = new int[senders];
            var left = new AtomicLong((long) senders * turns * SENDS);
            ProcessRef receiver = scheduler.submit(
                    Process.of((events, out) -> {
                        for (Event event : events) {
                            if (event instanceof Message message) {
                                int from = Integer.parseInt(message.topic());
                                wrong.addAndGet(next[from]++ == message.payload(Integer.class) ? 0 : 1);
                                if (left.decrementAndGet() == 0) {
                                    out.done("all");
                                }
                            }
                        }
                    }),
                    "main");
            for (int i = 0; i < senders; i++) {
                String name = Integer.toString(i);
                scheduler.submit(new Flood(receiver, name, turns), "main");
            }
            assertThat(receiver.result().get(120, TimeUnit.SECONDS)).isEqualTo("all");
        }
        assertThat(wrong).as("messages out of order").hasValue(0);
    }

    private static final class Flood implements Process {
        private final ProcessRef receiver;
        private final String name;
        private int turnsLeft;
        private int number;

        Flood(ProcessRef receiver, String name, int turns) {
            this.receiver = receiver;
            this.name = name;
            this.turnsLeft = turns;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (int i = 0; i < SENDS; i++) {
                receiver.send(name, number++);
            }
            if (--turnsLeft > 0) {
                out.again();
            } else {
                out.done();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** S4, S5: those that fill a crowded mailbox rest while another worker empties it, but not for long. */
class CrowdRestTest {
    private static final int SENDS = 2 * EventQueue.CROWD;

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
        void whenItIsBusy_thenTheSendersRestForALook() {
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
     * The receiver holds its worker until the sender has had another turn. No spare worker comes, so the other one has to take
     * the sender out of the queue of those that wait behind all others. Catches a thief that leaves that queue alone.
     */
    @Test
    void whoWaitsBehindAWorkerThatIsHeldUpIsTakenByAnother() throws Exception {
        for (int repeat = 0; repeat < 20; repeat++) {
            var again = new CountDownLatch(1);
            try (Scheduler scheduler = Scheduler.builder()
                    .workers(2)
                    .slowStepLimit(Duration.ofHours(1))
                    .start()) {
                ProcessRef receiver = scheduler.submit(
                        Process.of((events, out) -> {
                            if (!events.isEmpty()) {
                                again.await();
                                out.done();
                            }
                        }),
                        "main");
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
            }
        }
    }

    /**
     * One worker takes its senders all the time, another is held up with one behind it. Catches a thief that watches the first for
     * ever.
     */
    @Test
    void whoWaitsBehindAWorkerThatIsHeldUpIsTakenAlsoBesideAFlood() {
        try (SteppedScheduler scheduler = Scheduler.builder().workers(3).stepped()) {
            Worker[] workers = scheduler.scheduler().group.workers();
            ProcessCell receiver = cell(scheduler, 70);
            assertThat(receiver.open()).isTrue();
            receiver.setWorker(1); // so that worker 1 does not let its sender rest
            ProcessCell waiting = cell(scheduler, 71);
            ProcessCell flood = cell(scheduler, 72);
            pushLast(workers[1].queues, flood, receiver);
            pushLast(workers[2].queues, waiting, receiver);
            var watch = new LastWatch(workers[0], scheduler.scheduler().group);

            Soon.until("it is taken", () -> {
                ProcessCell stolen = watch.steal();
                ProcessCell taken = stolen == null ? workers[1].queues.find() : stolen;
                if (taken == flood) {
                    pushLast(workers[1].queues, flood, receiver);
                }
                return taken == waiting;
            });
            for (Worker worker : workers) {
                worker.queues.drainInto(new ArrayList<>()); // the scheduler never heard of these processes
            }
        }
    }

    private static ProcessCell cell(SteppedScheduler scheduler, long id) {
        return new ProcessCell(scheduler.scheduler(), id, Submission.of(ProbeProcess.deaf(), "main"), null, 0);
    }

    private static void pushLast(WorkerQueues queues, ProcessCell sender, ProcessCell receiver) {
        queues.beginTurn();
        queues.crowds(receiver);
        queues.rest().crowds(receiver);
        queues.pushBehind(sender);
        assertThat(queues.hasLast()).isTrue();
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

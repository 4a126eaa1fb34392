// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static dev.treadle.Soon.reaches;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.ProcessInfo.State;
import dev.treadle.relay.Delivery;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Contract line M3: how many messages wait at the most, exactly. */
class MailboxTest {
    private static final int DEFAULT_CAPACITY = 65_536;
    private static final int SENDERS = 4;
    private static final int SENDS = 3_000;

    /** Waits for a completion that never comes, so that messages pile up. */
    private static Process deaf() {
        return Process.of((events, out) -> out.await());
    }

    private static ProcessRef submitDeaf(Scheduler scheduler, Submission submission) {
        ProcessRef ref = scheduler.submit(submission);
        reaches(ref, State.BLOCKED);
        return ref;
    }

    /** Sends until the first refusal or the limit; returns how many were taken. */
    private static int fill(ProcessRef ref, int limit) {
        int taken = 0;
        while (taken < limit && ref.send("n", taken).isDelivered()) {
            taken++;
        }
        return taken;
    }

    private static int waiting(ProcessRef ref) {
        return ref.inspect().orElseThrow().queueLength();
    }

    /** M3: the default bound is 65,536: as many are taken, the next is refused, again and again. */
    @AtWorkers
    void m3_byDefault_65536MessagesWait(int workers) {
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            ProcessRef ref = submitDeaf(scheduler, Submission.of(deaf(), "main"));

            assertThat(fill(ref, DEFAULT_CAPACITY + 1)).isEqualTo(DEFAULT_CAPACITY);
            assertThat(ref.send("n", null)).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(waiting(ref)).isEqualTo(DEFAULT_CAPACITY);
        }
    }

    /** M3: the bound of the scheduler, and that of a process in its place: smaller, larger, or none. */
    @AtWorkers
    void m3_theBoundIsSetForASchedulerAndForAProcess(int workers) {
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).mailboxCapacity(10).start()) {
            Submission submission = Submission.of(deaf(), "main");
            assertThat(fill(submitDeaf(scheduler, submission), 100)).isEqualTo(10);
            assertThat(fill(submitDeaf(scheduler, submission.mailboxCapacity(1)), 100))
                    .isEqualTo(1);
            assertThat(fill(submitDeaf(scheduler, submission.mailboxCapacity(11)), 100))
                    .isEqualTo(11);
            assertThat(fill(submitDeaf(scheduler, submission.mailboxCapacity(0)), DEFAULT_CAPACITY + 1_000))
                    .as("0 is no bound, not the scheduler's")
                    .isEqualTo(DEFAULT_CAPACITY + 1_000);
        }
    }

    /** M3: a scheduler without a bound, and a process with one. */
    @AtWorkers
    void m3_zeroIsNoBound(int workers) {
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).mailboxCapacity(0).start()) {
            Submission submission = Submission.of(deaf(), "main");
            assertThat(fill(submitDeaf(scheduler, submission), DEFAULT_CAPACITY + 1_000))
                    .isEqualTo(DEFAULT_CAPACITY + 1_000);
            assertThat(fill(submitDeaf(scheduler, submission.mailboxCapacity(3)), 100))
                    .isEqualTo(3);
        }
    }

    /** M3: a message makes room when a step gets it, no sooner and no later; also when a step gets only some. */
    @AtWorkers
    void m3_whatAStepGetsMakesRoom(int workers) {
        try (SteppedScheduler stepped = Scheduler.builder()
                .workers(workers)
                .mailboxCapacity(5)
                .eventBudget(2)
                .stepped()) {
            var roomDuringStep = new ArrayList<Integer>();
            var self = new AtomicReference<ProcessRef>();
            self.set(stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                if (!events.isEmpty() && roomDuringStep.size() < 2) {
                                    roomDuringStep.add(fill(self.get(), 100));
                                }
                            }),
                            "main"));
            stepped.runAll();
            assertThat(fill(self.get(), 100)).isEqualTo(5);

            stepped.runOne(0);
            assertThat(waiting(self.get())).isEqualTo(5);
            assertThat(fill(self.get(), 100)).as("filled up during the step").isZero();
            stepped.runOne(workers - 1);
            assertThat(roomDuringStep).as("as many as the step was given").containsExactly(2, 2);

            stepped.runOne(0);
            assertThat(waiting(self.get())).isEqualTo(3);
            assertThat(fill(self.get(), 100)).isEqualTo(2);
        }
    }

    /** M3: many senders at once at a process that takes nothing: the bound is exact. */
    @AtWorkers
    void m3_whenManySendAtOnce_thenExactlyTheBoundIsTaken(int workers) throws Exception {
        for (int capacity : new int[] {1, 7, 1_000}) {
            try (Scheduler scheduler = Scheduler.builder()
                    .workers(workers)
                    .mailboxCapacity(capacity)
                    .start()) {
                ProcessRef ref = submitDeaf(scheduler, Submission.of(deaf(), "main"));
                var taken = new AtomicInteger();
                runAtOnce(() -> {
                    for (int i = 0; i < SENDS; i++) {
                        if (ref.send("n", i).isDelivered()) {
                            taken.incrementAndGet();
                        }
                    }
                });
                assertThat(taken).hasValue(capacity);
                assertThat(waiting(ref)).isEqualTo(capacity);
                assertThat(scheduler.stats().deadLetters()).isEqualTo((long) SENDERS * SENDS - capacity);
            }
        }
    }

    /**
     * M3: many senders at a process that works them off: never more than the bound wait, and what was taken is what was
     * handled, to the last one. Catches a count that is raised or lowered twice, or not at all: it would drift, and with it
     * the room.
     */
    @AtWorkers
    void m3_whileMessagesAreWorkedOff_thenNeverMoreThanTheBoundWait(int workers) throws Exception {
        int capacity = 5;
        var taken = new AtomicInteger();
        var tooMany = new AtomicInteger();
        int[] handled = {0};
        try (Scheduler scheduler = Scheduler.builder()
                .workers(workers)
                .mailboxCapacity(capacity)
                .eventBudget(3)
                .start()) {
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        for (Event event : events) {
                            if (event instanceof Message message
                                    && message.topic().equals("n")) {
                                handled[0]++;
                            } else {
                                out.done(handled[0]);
                            }
                        }
                    }),
                    "main");
            var sending = new AtomicBoolean(true);
            var watcher = new Thread(() -> {
                while (sending.get()) {
                    if (waiting(ref) > capacity) {
                        tooMany.incrementAndGet();
                    }
                    Thread.yield();
                }
            });
            watcher.start();
            runAtOnce(() -> {
                for (int i = 0; i < SENDS; i++) {
                    if (ref.send("n", i).isDelivered()) {
                        taken.incrementAndGet();
                    } else {
                        Thread.yield();
                    }
                }
            });
            sending.set(false);
            watcher.join();
            reaches(ref, State.IDLE);
            assertThat(waiting(ref))
                    .as("nothing is left, so nothing is counted")
                    .isZero();
            ref.cancel("tell");

            assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo(taken.get());
            assertThat(tooMany).hasValue(0);
            assertThat(scheduler.stats().deadLetters()).isEqualTo((long) SENDERS * SENDS - taken.get());
        }
    }

    private static void runAtOnce(Runnable task) throws InterruptedException {
        var start = new CountDownLatch(1);
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < SENDERS; i++) {
            threads.add(new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                task.run();
            }));
        }
        threads.forEach(Thread::start);
        start.countDown();
        for (Thread thread : threads) {
            thread.join(TimeUnit.MINUTES.toMillis(2));
        }
    }

    private record Ask() implements Command {}

    /** M3: signals and completions get through a full mailbox, any number of them, and take no room. */
    @AtWorkers
    void m3_whenTheMailboxIsFull_thenSignalsAndCompletionsGetThrough(int workers) {
        int asks = 100;
        var receivers = new ArrayList<ResultReceiver>();
        var registry = new CommandRegistry().register(Ask.class, (command, receiver) -> receivers.add(receiver));
        var got = new StringBuilder();
        try (SteppedScheduler stepped = Scheduler.builder()
                .workers(workers)
                .handlers(registry)
                .mailboxCapacity(2)
                .stepped()) {
            ProcessRef ref = stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                for (int tag = 0; events.isEmpty() && tag < asks; tag++) {
                                    out.yield(new Ask(), tag);
                                }
                                events.forEach(event -> got.append(
                                        event instanceof Message ? 'm' : event instanceof Completion ? 'c' : 's'));
                            }),
                            "main");
            stepped.runAll();
            assertThat(fill(ref, 100)).isEqualTo(2);

            assertThat(receivers).hasSize(asks).allMatch(receiver -> receiver.complete("through"));
            for (int i = 0; i < asks; i++) {
                assertThat(ref.cancel("through")).isEqualTo(Delivery.DELIVERED);
            }
            assertThat(ref.send("n", null)).isEqualTo(Delivery.MAILBOX_FULL);
            assertThat(waiting(ref)).isEqualTo(2);
            stepped.runAll();

            assertThat(got).hasToString("s".repeat(asks) + "mm" + "c".repeat(asks));
            assertThat(fill(ref, 100)).isEqualTo(2);
            assertThat(ref.terminate()).as("the order to end, too").isEqualTo(Delivery.DELIVERED);
            stepped.runAll();
            assertThat(ref.inspect()).isEmpty();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static dev.treadle.Soon.eventually;
import static dev.treadle.Soon.reaches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.relay.Delivery;
import dev.treadle.relay.Envelope;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Contract line M2: what send says, and what becomes of messages that nobody handles. */
class DeliveryTest {
    private final RecordingListener listener = new RecordingListener();

    private SchedulerBuilder builder(int workers) {
        return Scheduler.builder().name("post").workers(workers).listener(listener);
    }

    private void assertDeadLetters(Scheduler scheduler, DeadLetter... expected) {
        assertThat(listener.deadLetters).containsExactly(expected);
        assertThat(scheduler.stats().deadLetters()).isEqualTo(expected.length);
    }

    private static DeadLetter letter(Pid target, Pid sender, String topic, Object payload, DeadLetter.Reason reason) {
        return new DeadLetter(new Envelope(target, sender, topic, payload), reason);
    }

    /** M2: DELIVERED, by each of the ways to send; the receiver sees topic, payload and sender. */
    @AtWorkers
    void m2_delivered_whicheverWayItIsSent(int workers) {
        try (Scheduler scheduler = builder(workers).start()) {
            var got = new StringBuilder();
            ProcessRef ref = scheduler.submit(
                    Process.of((events, out) -> {
                        for (Event event : events) {
                            Message message = (Message) event;
                            got.append(message.topic())
                                    .append(message.payload())
                                    .append(message.sender())
                                    .append(' ');
                            if (message.topic().equals("end")) {
                                out.done(got.toString());
                            }
                        }
                    }),
                    "main");
            Pid other = Pid.of("elsewhere", 7);
            assertThat(ref.send("a", 1)).isEqualTo(Delivery.DELIVERED);
            assertThat(scheduler.send(ref.pid(), "b", null)).isEqualTo(Delivery.DELIVERED);
            assertThat(scheduler.send(Pid.parse(ref.pid().toString()), "c", 3)).isEqualTo(Delivery.DELIVERED);
            assertThat(scheduler.send(new Envelope(ref.pid(), other, "d", 4))).isEqualTo(Delivery.DELIVERED);
            assertThat(scheduler.send(Envelope.to(ref.pid(), "end", 5))).isEqualTo(Delivery.DELIVERED);

            assertThat(ref.result())
                    .succeedsWithin(LIMIT)
                    .isEqualTo("a1null bnullnull c3null d4{elsewhere|7} end5null ");
            assertDeadLetters(scheduler);
        }
    }

    /** M2: a message that a process sends has that process as its sender, by whichever way it sends. */
    @AtWorkers
    void m2_delivered_aProcessIsTheSenderOfWhatItSends(int workers) {
        try (Scheduler scheduler = builder(workers).start()) {
            var senders = new StringBuilder();
            ProcessRef receiver = scheduler.submit(
                    Process.of((events, out) -> {
                        for (Event event : events) {
                            senders.append(((Message) event).sender());
                            if (((Message) event).topic().equals("end")) {
                                out.done(senders.toString());
                            }
                        }
                    }),
                    "main");
            var sender = new TrackedProcess[1];
            sender[0] = new TrackedProcess((events, out) -> {
                sender[0].context().send(receiver.pid(), "a", null);
                receiver.send("b", null);
                scheduler.send(receiver.pid(), "end", null);
                out.done();
            });
            ProcessRef ref = scheduler.submit(sender[0], "main");

            assertThat(receiver.result())
                    .succeedsWithin(LIMIT)
                    .isEqualTo(ref.pid().toString().repeat(3));
        }
    }

    /** M2: NO_SUCH_PROCESS: one that has ended, never was, belongs to another host, or to another node. */
    @AtWorkers
    void m2_noSuchProcess(int workers) {
        try (Scheduler scheduler = builder(workers).start()) {
            ProcessRef ended = scheduler.submit(TrackedProcess.done(null), "main");
            assertThat(ended.result()).succeedsWithin(LIMIT);
            Pid never = Pid.of("post", 999);
            Pid otherHost = Pid.of("elsewhere", 1);
            Pid otherNode = Pid.of("far", "post", 1);

            assertThat(ended.send("a", 1)).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(scheduler.send(ended.pid(), "b", 2)).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(scheduler.send(never, "c", 3)).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(scheduler.send(otherHost, "d", 4)).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(scheduler.send(new Envelope(otherNode, never, "e", null)))
                    .isEqualTo(Delivery.NO_SUCH_PROCESS);

            assertDeadLetters(
                    scheduler,
                    letter(ended.pid(), null, "a", 1, DeadLetter.Reason.NO_SUCH_PROCESS),
                    letter(ended.pid(), null, "b", 2, DeadLetter.Reason.NO_SUCH_PROCESS),
                    letter(never, null, "c", 3, DeadLetter.Reason.NO_SUCH_PROCESS),
                    letter(otherHost, null, "d", 4, DeadLetter.Reason.NO_SUCH_PROCESS),
                    letter(otherNode, never, "e", null, DeadLetter.Reason.NO_SUCH_PROCESS));
        }
    }

    /** M2: MAILBOX_FULL; see {@link MailboxTest} for where exactly. The dead letter names the process that sent it. */
    @AtWorkers
    void m2_mailboxFull(int workers) {
        try (Scheduler scheduler = builder(workers).start()) {
            ProcessRef full = scheduler.submit(Submission.of(Process.of((events, out) -> out.await()), "main")
                    .mailboxCapacity(1));
            reaches(full, ProcessInfo.State.BLOCKED);
            assertThat(full.send("fits", null)).isEqualTo(Delivery.DELIVERED);
            var sender = new TrackedProcess[1];
            sender[0] = new TrackedProcess(
                    (events, out) -> out.done(sender[0].context().send(full.pid(), "one too many", 1)));
            ProcessRef ref = scheduler.submit(sender[0], "main");

            assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo(Delivery.MAILBOX_FULL);
            assertDeadLetters(
                    scheduler, letter(full.pid(), ref.pid(), "one too many", 1, DeadLetter.Reason.MAILBOX_FULL));
        }
    }

    private record Farewell() implements Command {}

    /** M2: STOPPING: from outside, once shutdown has begun. Processes that are on their way out still reach each other. */
    @AtWorkers
    void m2_stopping_isForThoseOutside(int workers) {
        var receiver = new AtomicReference<ResultReceiver>();
        var registry = new CommandRegistry().register(Farewell.class, (command, answer) -> receiver.set(answer));
        Scheduler scheduler = builder(workers).handlers(registry).start();
        var sender = new TrackedProcess[1];
        ProcessRef heir = scheduler.submit(
                Process.of((events, out) -> {
                    for (Event event : events) {
                        if (event instanceof Message) {
                            out.done("heard");
                        }
                    }
                }),
                "main");
        sender[0] = new TrackedProcess((events, out) -> {
            if (!events.isEmpty() && events.get(0) instanceof Signal) {
                out.yield(new Farewell(), 1);
            } else if (!events.isEmpty()) {
                out.done(sender[0].context().send(heir.pid(), "from inside", null));
            }
        });
        ProcessRef ref = scheduler.submit(sender[0], "main");

        CompletableFuture<ShutdownReport> report = Aside.run(() -> scheduler.shutdown(LIMIT));
        eventually(() -> assertThat(receiver.get()).isNotNull());
        assertThat(heir.send("from outside", 1)).isEqualTo(Delivery.STOPPING);
        assertThat(scheduler.send(heir.pid(), "from outside", 2)).isEqualTo(Delivery.STOPPING);
        receiver.get().complete(null);

        assertThat(ref.result()).succeedsWithin(LIMIT).isEqualTo(Delivery.DELIVERED);
        assertThat(heir.result()).succeedsWithin(LIMIT).isEqualTo("heard");
        assertThat(report).succeedsWithin(LIMIT);
        assertThat(heir.send("after the end", 3)).isEqualTo(Delivery.STOPPING);
        assertDeadLetters(
                scheduler,
                letter(heir.pid(), null, "from outside", 1, DeadLetter.Reason.STOPPING),
                letter(heir.pid(), null, "from outside", 2, DeadLetter.Reason.STOPPING),
                letter(heir.pid(), null, "after the end", 3, DeadLetter.Reason.STOPPING));
    }

    /** M2: what a process leaves unread when it is done goes to the dead letters, in order. */
    @AtWorkers
    void m2_unread_whenDone(int workers) {
        try (SteppedScheduler stepped = builder(workers).eventBudget(2).stepped()) {
            ProcessRef ref = stepped.scheduler()
                    .submit(
                            Process.of((events, out) -> {
                                if (!events.isEmpty()) {
                                    out.done();
                                }
                            }),
                            "main");
            stepped.runAll();
            for (int i = 0; i < 5; i++) {
                ref.send("n", i);
            }
            stepped.runAll();

            assertDeadLetters(
                    stepped.scheduler(),
                    letter(ref.pid(), null, "n", 2, DeadLetter.Reason.UNREAD),
                    letter(ref.pid(), null, "n", 3, DeadLetter.Reason.UNREAD),
                    letter(ref.pid(), null, "n", 4, DeadLetter.Reason.UNREAD));
        }
    }

    /** M2: the same when it is terminated, or ended by the shutdown, with messages that it waited past. */
    @AtWorkers
    void m2_unread_whenEndedByForce(int workers) {
        ProcessRef terminated;
        ProcessRef shutDown;
        Scheduler scheduler = builder(workers).eventBudget(1).start(); // the cancel signal alone fills a step
        try (scheduler) {
            terminated = scheduler.submit(Process.of((events, out) -> out.await()), "main");
            reaches(terminated, ProcessInfo.State.BLOCKED);
            terminated.send("a", 1);
            terminated.terminate();
            assertThat(terminated.result()).failsWithin(LIMIT);

            shutDown = scheduler.submit(Submission.of(Process.of((events, out) -> out.await()), "main")
                    .mailboxCapacity(1));
            reaches(shutDown, ProcessInfo.State.BLOCKED);
            for (int i = 2; i < 4; i++) {
                shutDown.send("b", i);
            }
        }
        assertDeadLetters(
                scheduler,
                letter(terminated.pid(), null, "a", 1, DeadLetter.Reason.UNREAD),
                letter(shutDown.pid(), null, "b", 3, DeadLetter.Reason.MAILBOX_FULL),
                letter(shutDown.pid(), null, "b", 2, DeadLetter.Reason.UNREAD));
    }

    /** M2: a dead-letter listener that throws does not make send throw, and the next listener still hears. */
    @AtWorkers
    void m2_whenTheListenerThrows_thenSendDoesNot(int workers) {
        var broken = new SchedulerListener() {
            @Override
            public void onDeadLetter(DeadLetter letter) {
                Thrown.BARE_THROWABLE.throwIt();
            }
        };
        try (var log = new LogRecorder();
                Scheduler scheduler = Scheduler.builder()
                        .workers(workers)
                        .listener(broken)
                        .listener(listener)
                        .start()) {
            assertThat(scheduler.send(Pid.of("main", 999), "a", null)).isEqualTo(Delivery.NO_SUCH_PROCESS);
            assertThat(listener.deadLetters).hasSize(1);
            assertThat(scheduler.stats().listenerFailures()).isEqualTo(1);
            assertThat(log.texts).hasSize(1);
        }
    }

    /** M2: mistakes of the caller's are no outcome: they throw, and say what to do. */
    @Test
    void m2_whenTheCallerIsMistaken_thenSendThrows() {
        try (SteppedScheduler stepped = builder(1).stepped()) {
            Scheduler scheduler = stepped.scheduler();
            ProcessRef ref = scheduler.submit(TrackedProcess.idle(), "main");
            assertThatThrownBy(() -> scheduler.send(null, "a", 1))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("target is null: give the Pid of the receiver");
            assertThatThrownBy(() -> ref.send(null, 1))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("topic is null: name what the message is about, or use an empty string");
            assertThatThrownBy(() -> scheduler.send((Envelope) null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("envelope is null: use Envelope.to(pid, topic, payload)");
            assertThatThrownBy(() -> Envelope.to(null, "a", 1))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("target is null: an envelope needs the Pid of its receiver");
            assertThatThrownBy(() -> Envelope.to(ref.pid(), null, 1))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("topic is null: use an empty string for a message without a topic");
        }
        assertThat(listener.deadLetters).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static dev.treadle.Soon.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.relay.Delivery;
import dev.treadle.relay.Envelope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Contract lines M1 and M5: messages from one sender arrive in order, each once, and with all that the sender wrote.
 *
 * <p>Method: each sender numbers its messages; the receiver knows which number must come next from whom. Half of the
 * senders are threads outside, half are processes, so the receiver is woken through the global queue and through deques,
 * and moves between the workers. Catches: a queue that is not turned round, a backlog that is overtaken, a message that
 * is lost or handed out twice.
 */
class MessageOrderTest {
    private static final int SENDERS_OUTSIDE = 3;
    private static final int SENDERS_INSIDE = 3;
    private static final int MESSAGES_EACH = 5_000;

    private record Numbered(int sender, int number) {}

    /** M1: several senders at once, to a receiver that moves: each one's messages in order, exactly once. */
    @AtWorkers
    void m1_whenManySendAtOnce_thenEachSendersMessagesComeInOrderExactlyOnce(int workers) throws Exception {
        int total = (SENDERS_OUTSIDE + SENDERS_INSIDE) * MESSAGES_EACH;
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).mailboxCapacity(0).start()) {
            ProcessRef receiver = scheduler.submit(new OrderedReceiver(total), "main");
            for (int i = 0; i < SENDERS_INSIDE; i++) {
                scheduler.submit(new SendingProcess(SENDERS_OUTSIDE + i, receiver), "main");
            }
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < SENDERS_OUTSIDE; i++) {
                int sender = i;
                threads.add(new Thread(() -> sendNumbered(scheduler, sender, receiver)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(receiver.result()).succeedsWithin(LIMIT).isEqualTo(total);
        }
    }

    /** Uses another way to send each time: they all lead to the same queue. */
    private static void sendNumbered(Scheduler scheduler, int sender, ProcessRef receiver) {
        Pid parsed = Pid.parse(receiver.pid().toString());
        for (int i = 0; i < MESSAGES_EACH; i++) {
            var payload = new Numbered(sender, i);
            Delivery delivery = switch (i % 4) {
                case 0 -> receiver.send("n", payload);
                case 1 -> scheduler.send(receiver.pid(), "n", payload);
                case 2 -> scheduler.send(parsed, "n", payload);
                default -> scheduler.send(Envelope.to(parsed, "n", payload));
            };
            if (delivery != Delivery.DELIVERED) {
                throw new AssertionError("message " + i + " was not delivered: " + delivery);
            }
        }
    }

    /** Sends a few at each step, and wants another one. */
    private static final class SendingProcess implements Process {
        private final int sender;
        private final ProcessRef receiver;
        private ProcessContext context;
        private int next;

        SendingProcess(int sender, ProcessRef receiver) {
            this.sender = sender;
            this.receiver = receiver;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            for (int i = 0; i < 10 && next < MESSAGES_EACH; i++) {
                context.send(receiver.pid(), "n", new Numbered(sender, next++));
            }
            if (next < MESSAGES_EACH) {
                out.again();
            } else {
                out.done();
            }
        }
    }

    /** Fails on the first message that is not the next one of its sender. */
    private static final class OrderedReceiver implements Process {
        private final int total;
        private final int[] nextOf = new int[SENDERS_OUTSIDE + SENDERS_INSIDE];
        private int received;

        OrderedReceiver(int total) {
            this.total = total;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            for (Event event : events) {
                Numbered numbered = ((Message) event).payload(Numbered.class);
                int expected = nextOf[numbered.sender()]++;
                if (numbered.number() != expected) {
                    throw new IllegalStateException("expected number " + expected + ", got " + numbered);
                }
                received++;
            }
            if (received == total) {
                out.done(received);
            }
        }
    }

    /** M1: the receiver ends in the middle: each message is handled, or a dead letter, never both, never neither. */
    @AtWorkers
    void m1_whenTheReceiverEndsInTheMiddle_thenEachMessageIsAccountedForOnce(int workers) throws Exception {
        for (int round = 0; round < 20; round++) {
            var listener = new RecordingListener();
            Set<Object> handled = new HashSet<>();
            var delivered = new AtomicInteger();
            int each = 300;
            try (Scheduler scheduler =
                    Scheduler.builder().workers(workers).listener(listener).start()) {
                ProcessRef receiver = scheduler.submit(
                        Process.of((events, out) -> {
                            for (Event event : events) {
                                handled.add(((Message) event).payload());
                            }
                            if (handled.size() > each / 3) {
                                out.done();
                            }
                        }),
                        "main");
                var threads = new ArrayList<Thread>();
                for (int i = 0; i < 3; i++) {
                    int sender = i;
                    threads.add(new Thread(() -> {
                        for (int n = 0; n < each; n++) {
                            if (receiver.send("n", new Numbered(sender, n)).isDelivered()) {
                                delivered.incrementAndGet();
                            }
                        }
                    }));
                }
                threads.forEach(Thread::start);
                for (Thread thread : threads) {
                    thread.join();
                }
                receiver.result().get(LIMIT.toSeconds(), TimeUnit.SECONDS);

                List<Object> unread = payloads(listener, DeadLetter.Reason.UNREAD);
                List<Object> refused = payloads(listener, DeadLetter.Reason.NO_SUCH_PROCESS);
                assertThat(delivered).hasValue(handled.size() + unread.size());
                var all = new HashSet<>(handled);
                all.addAll(unread);
                all.addAll(refused);
                assertThat(all).hasSize(3 * each);
                assertThat(handled.size() + unread.size() + refused.size()).isEqualTo(3 * each);
            }
        }
    }

    private static List<Object> payloads(RecordingListener listener, DeadLetter.Reason reason) {
        return listener.deadLetters.stream()
                .filter(letter -> letter.reason() == reason)
                .map(letter -> letter.envelope().payload())
                .toList();
    }

    /**
     * M5: two processes write to the same plain array in turn, and hand it over by a message that does not even carry it.
     * Each must see all that the other wrote. (A processor that keeps its stores in order forgives much here; the jcstress
     * tests look closer.)
     */
    @AtWorkers
    void m5_whatWasWrittenBeforeASend_theReceiverSees(int workers) {
        int rounds = 20_000;
        long[] plain = new long[64];
        try (Scheduler scheduler = Scheduler.builder().workers(workers).start()) {
            var refs = new ProcessRef[2];
            for (int i = 0; i < 2; i++) {
                int other = 1 - i;
                refs[i] = scheduler.submit(
                        Process.of((events, out) -> {
                            for (Event event : events) {
                                long expected = ((Message) event).payload(Long.class);
                                for (int slot = 0; slot < plain.length; slot++) {
                                    if (plain[slot] != expected) {
                                        throw new IllegalStateException(
                                                "slot " + slot + " was " + plain[slot] + ", not " + expected);
                                    }
                                    plain[slot]++;
                                }
                                refs[other].send("your turn", expected + 1);
                                if (expected >= rounds) {
                                    out.done(expected);
                                }
                            }
                        }),
                        "main");
            }
            refs[0].send("your turn", 0L);

            assertThat(refs[0].result()).succeedsWithin(LIMIT).isEqualTo((long) rounds);
            assertThat(refs[1].result()).succeedsWithin(LIMIT).isEqualTo((long) rounds + 1);
        }
    }

    /** M5: the same from a thread outside, with a payload of plain fields. */
    @AtWorkers
    void m5_whatAThreadOutsideWroteBeforeItsSend_theReceiverSees(int workers) {
        int total = 20_000;
        try (Scheduler scheduler =
                Scheduler.builder().workers(workers).mailboxCapacity(0).start()) {
            int[] seen = {0};
            ProcessRef receiver = scheduler.submit(
                    Process.of((events, out) -> {
                        for (Event event : events) {
                            Plain plain = ((Message) event).payload(Plain.class);
                            if (plain.first != seen[0] || plain.more[3] != -seen[0]) {
                                throw new IllegalStateException("torn: " + plain.first + ", " + plain.more[3]);
                            }
                            seen[0]++;
                        }
                        if (seen[0] == total) {
                            out.done(seen[0]);
                        }
                    }),
                    "main");
            for (int i = 0; i < total; i++) {
                var plain = new Plain();
                plain.more = new int[4];
                plain.more[3] = -i;
                plain.first = i;
                receiver.send("plain", plain);
            }
            assertThat(receiver.result()).succeedsWithin(LIMIT).isEqualTo(total);
        }
    }

    private static final class Plain {
        private int first;
        private int[] more;
    }
}

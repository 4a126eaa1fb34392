// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vt;

import dev.treadle.benchmarks.Arrivals;
import dev.treadle.benchmarks.Check;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import java.util.concurrent.ThreadFactory;

/** Some only send, some only get: counting, fanin, fjthrow. */
final class Floods {
    private static final Object INCREMENT = "increment";

    private Floods() {}

    private record Ask(Mailbox replyTo) {}

    static void counting(ThreadFactory threads, int messages) throws InterruptedException {
        var tally = new Tally(1);
        var counter = new Mailbox();
        VtPeer.start(threads, () -> {
            long total = 0;
            Object message = counter.receive();
            while (!(message instanceof Ask)) {
                total++;
                message = counter.receive();
            }
            ((Ask) message).replyTo.send(total);
        });
        VtPeer.start(threads, () -> {
            for (int i = 0; i < messages; i++) {
                counter.send(INCREMENT);
            }
            var reply = new Mailbox();
            counter.send(new Ask(reply));
            tally.done((Long) reply.receive());
        });
        tally.check("total", messages);
    }

    static void fanin(ThreadFactory threads, int messages) throws InterruptedException {
        int each = Shape.share(messages, Shape.PRODUCERS);
        var tally = new Tally(1);
        var consumer = new Mailbox();
        VtPeer.start(threads, () -> {
            var arrivals = new Arrivals(messages);
            int count = 1;
            while (!arrivals.isLast((Long) consumer.receive())) {
                count++;
            }
            tally.done(count);
        });
        for (int i = 0; i < Shape.PRODUCERS; i++) {
            int id = i;
            VtPeer.start(threads, () -> {
                for (int number = 0; number < each; number++) {
                    consumer.send(Arrivals.message(id, number));
                }
            });
        }
        tally.check("messages", messages);
    }

    static void fjthrow(ThreadFactory threads, int messages) throws InterruptedException {
        int each = Shape.share(messages, Shape.RECEIVERS);
        var tally = new Tally(Shape.RECEIVERS);
        var receivers = new Mailbox[Shape.RECEIVERS];
        for (int i = 0; i < receivers.length; i++) {
            var mailbox = new Mailbox();
            receivers[i] = mailbox;
            VtPeer.start(threads, () -> {
                long sum = 0;
                for (int got = 0; got < each; got++) {
                    sum += Check.compute((Integer) mailbox.receive());
                }
                tally.done(sum);
            });
        }
        VtPeer.start(threads, () -> {
            for (int round = 0; round < each; round++) {
                Integer work = round;
                for (Mailbox receiver : receivers) {
                    receiver.send(work);
                }
            }
        });
        tally.check("computed", Shape.RECEIVERS * Check.computeAll(each));
    }
}

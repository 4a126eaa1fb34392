// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vt;

import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import dev.treadle.benchmarks.Token;
import java.util.concurrent.ThreadFactory;

/** Something is passed from one to the next: pingpong, pingpong-pairs, ring. */
final class Balls {
    private static final Object BALL = "ball";
    private static final Object STOP = "stop";

    private Balls() {}

    static void play(ThreadFactory threads, int pairs, int messages) throws InterruptedException {
        int each = Shape.share(messages, 2 * pairs);
        var tally = new Tally(2 * pairs);
        for (int i = 0; i < pairs; i++) {
            var first = new Mailbox();
            var second = new Mailbox();
            VtPeer.start(threads, () -> {
                for (int got = 0; got < each; got++) {
                    second.send(BALL);
                    first.receive();
                }
                tally.done(each);
            });
            VtPeer.start(threads, () -> {
                for (int got = 0; got < each; got++) {
                    first.send(second.receive());
                }
                tally.done(each);
            });
        }
        tally.check("balls", messages);
    }

    static void ring(ThreadFactory threads, int hops) throws InterruptedException {
        var tally = new Tally(1);
        var nodes = new Mailbox[Shape.RING];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new Mailbox();
        }
        for (int i = 0; i < nodes.length; i++) {
            Mailbox mine = nodes[i];
            Mailbox next = nodes[(i + 1) % nodes.length];
            VtPeer.start(threads, () -> {
                while (mine.receive() instanceof Token token) {
                    if (token.hop()) {
                        next.send(token);
                    } else {
                        tally.done(1);
                    }
                }
            });
        }
        nodes[0].send(new Token(hops));
        tally.check("token", 1);
        for (Mailbox node : nodes) {
            node.send(STOP);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.fj;

import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import dev.treadle.benchmarks.Token;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/** Something is passed from one to the next: pingpong, pingpong-pairs, ring. */
final class Balls {
    private static final Object BALL = "ball";

    private Balls() {}

    static void play(ForkJoinPool pool, int pairs, int messages) throws InterruptedException {
        int each = Shape.share(messages, 2 * pairs);
        var tally = new Tally(2 * pairs);
        for (int i = 0; i < pairs; i++) {
            var first = new Player(pool, true, each, tally);
            var second = new Player(pool, false, each, tally);
            first.other = second;
            second.other = first;
            second.send(BALL); // counts as the one that the first would begin with
        }
        tally.check("balls", messages);
    }

    static void ring(ForkJoinPool pool, int hops) throws InterruptedException {
        var tally = new Tally(1);
        var first = new RingNode(pool, tally);
        RingNode last = first;
        for (int i = 1; i < Shape.RING; i++) {
            var node = new RingNode(pool, tally);
            last.next = node;
            last = node;
        }
        last.next = first;
        first.send(new Token(hops));
        tally.check("token", 1);
    }

    private static final class Player extends Actor {
        private final boolean begins;
        private final int balls;
        private final Tally tally;
        private @Nullable Player other;
        private int got;

        Player(ForkJoinPool pool, boolean begins, int balls, Tally tally) {
            super(pool);
            this.begins = begins;
            this.balls = balls;
            this.tally = tally;
        }

        @Override
        void receive(Object message) {
            got++;
            if (other != null && (got < balls || !begins)) {
                other.send(message);
            }
            if (got == balls) {
                tally.done(got);
            }
        }
    }

    private static final class RingNode extends Actor {
        private final Tally tally;
        private @Nullable RingNode next;

        RingNode(ForkJoinPool pool, Tally tally) {
            super(pool);
            this.tally = tally;
        }

        @Override
        void receive(Object message) {
            if (((Token) message).hop() && next != null) {
                next.send(message);
            } else {
                tally.done(1);
            }
        }
    }
}

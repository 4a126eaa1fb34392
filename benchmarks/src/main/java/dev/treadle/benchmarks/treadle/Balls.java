// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.treadle;

import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import dev.treadle.benchmarks.Token;
import org.jspecify.annotations.Nullable;

/** Something is passed from one to the next: pingpong, pingpong-pairs, ring. */
final class Balls {
    private static final String BALL = "ball";
    private static final String STOP = "stop";

    private Balls() {}

    static void play(Scheduler scheduler, int pairs, int messages) throws InterruptedException {
        int each = Shape.share(messages, 2 * pairs);
        var tally = new Tally(2 * pairs);
        for (int i = 0; i < pairs; i++) {
            Pid second = scheduler.submit(new Player(null, each, tally), "main").pid();
            scheduler.submit(new Player(second, each, tally), "main");
        }
        tally.check("balls", messages);
    }

    static void ring(Scheduler scheduler, int hops) throws InterruptedException {
        var tally = new Tally(1);
        var nodes = new Pid[Shape.RING];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = scheduler
                    .submit(new RingNode(nodes, (i + 1) % nodes.length, tally), "main")
                    .pid();
        }
        scheduler.send(nodes[0], BALL, new Token(hops));
        tally.check("token", 1);
        TreadlePeer.tell(scheduler, nodes, STOP);
    }

    /** One of two. The one that is told of the other begins; the other one has the last word. */
    private static final class Player extends Actor {
        private final boolean begins;
        private final int balls;
        private final Tally tally;
        private @Nullable Pid other;
        private int got;

        Player(@Nullable Pid other, int balls, Tally tally) {
            this.begins = other != null;
            this.other = other;
            this.balls = balls;
            this.tally = tally;
        }

        @Override
        void emptyStep(StepOutput out) {
            if (other != null) {
                send(other, BALL, null);
            }
        }

        @Override
        void receive(Message message, StepOutput out) {
            if (other == null) {
                other = sender(message);
            }
            got++;
            if (got < balls || !begins) {
                send(other, BALL, null);
            }
            if (got == balls) {
                tally.done(got);
                out.done();
            }
        }
    }

    /** One of the ring. */
    private static final class RingNode extends Actor {
        private final Pid[] nodes;
        private final int next;
        private final Tally tally;

        RingNode(Pid[] nodes, int next, Tally tally) {
            this.nodes = nodes;
            this.next = next;
            this.tally = tally;
        }

        @Override
        void receive(Message message, StepOutput out) {
            if (message.payload() instanceof Token token) {
                if (token.hop()) {
                    send(nodes[next], BALL, token);
                } else {
                    tally.done(1);
                }
            } else {
                out.done();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekko;

import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import dev.treadle.benchmarks.Token;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.UntypedAbstractActor;

/** Something is passed from one to the next: pingpong, pingpong-pairs, ring. */
final class Balls {
    private static final Object BALL = "ball";
    private static final Object STOP = "stop";

    private Balls() {}

    static void play(ActorSystem system, int pairs, int messages) throws InterruptedException {
        int each = Shape.share(messages, 2 * pairs);
        var tally = new Tally(2 * pairs);
        for (int i = 0; i < pairs; i++) {
            ActorRef first = PekkoPeer.start(system, Player.class, () -> new Player(true, each, tally));
            ActorRef second = PekkoPeer.start(system, Player.class, () -> new Player(false, each, tally));
            second.tell(BALL, first); // the one that the first begins with
        }
        tally.check("balls", messages);
    }

    static void ring(ActorSystem system, int hops) throws InterruptedException {
        var tally = new Tally(1);
        var nodes = new ActorRef[Shape.RING];
        for (int i = 0; i < nodes.length; i++) {
            int next = (i + 1) % nodes.length;
            nodes[i] = PekkoPeer.start(system, RingNode.class, () -> new RingNode(nodes, next, tally));
        }
        nodes[0].tell(new Token(hops), ActorRef.noSender());
        tally.check("token", 1);
        PekkoPeer.tell(nodes, STOP);
    }

    private static final class Player extends UntypedAbstractActor {
        private final boolean begins;
        private final int balls;
        private final Tally tally;
        private int got;

        Player(boolean begins, int balls, Tally tally) {
            this.begins = begins;
            this.balls = balls;
            this.tally = tally;
        }

        @Override
        public void onReceive(Object message) {
            got++;
            if (got < balls || !begins) {
                getSender().tell(message, getSelf());
            }
            if (got == balls) {
                tally.done(got);
                getContext().stop(getSelf());
            }
        }
    }

    private static final class RingNode extends UntypedAbstractActor {
        private final ActorRef[] nodes;
        private final int next;
        private final Tally tally;

        RingNode(ActorRef[] nodes, int next, Tally tally) {
            this.nodes = nodes;
            this.next = next;
            this.tally = tally;
        }

        @Override
        public void onReceive(Object message) {
            if (message instanceof Token token) {
                if (token.hop()) {
                    nodes[next].tell(token, ActorRef.noSender());
                } else {
                    tally.done(1);
                }
            } else {
                getContext().stop(getSelf());
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekkotyped;

import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import dev.treadle.benchmarks.Token;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Something is passed from one to the next: pingpong, pingpong-pairs, ring. */
final class Balls {
    private static final Object STOP = "stop";

    private Balls() {}

    private record Ball(ActorRef<Ball> from) {}

    static void play(Guardian guardian, int pairs, int messages) throws InterruptedException {
        int each = Shape.share(messages, 2 * pairs);
        var tally = new Tally(2 * pairs);
        guardian.tell(context -> {
            for (int i = 0; i < pairs; i++) {
                ActorRef<Ball> first = context.spawnAnonymous(Player.behavior(true, each, tally));
                ActorRef<Ball> second = context.spawnAnonymous(Player.behavior(false, each, tally));
                second.tell(new Ball(first)); // the one that the first begins with
            }
        });
        tally.check("balls", messages);
    }

    static void ring(Guardian guardian, int hops) throws InterruptedException {
        var tally = new Tally(1);
        var nodes = new ArrayList<ActorRef<Object>>(Shape.RING);
        guardian.tell(context -> {
            for (int i = 0; i < Shape.RING; i++) {
                var node = new RingNode(nodes, (i + 1) % Shape.RING, tally);
                nodes.add(context.spawnAnonymous(Behaviors.receiveMessage(node::receive)));
            }
            nodes.get(0).tell(new Token(hops));
        });
        tally.check("token", 1);
        nodes.forEach(node -> node.tell(STOP));
    }

    private static final class Player {
        private final Ball mine;
        private final boolean begins;
        private final int balls;
        private final Tally tally;
        private int got;

        private Player(ActorRef<Ball> self, boolean begins, int balls, Tally tally) {
            this.mine = new Ball(self);
            this.begins = begins;
            this.balls = balls;
            this.tally = tally;
        }

        static Behavior<Ball> behavior(boolean begins, int balls, Tally tally) {
            return Behaviors.setup(
                    context -> Behaviors.receiveMessage(new Player(context.getSelf(), begins, balls, tally)::receive));
        }

        private Behavior<Ball> receive(Ball ball) {
            got++;
            if (got < balls || !begins) {
                ball.from.tell(mine);
            }
            if (got < balls) {
                return Behaviors.same();
            }
            tally.done(got);
            return Behaviors.stopped();
        }
    }

    private static final class RingNode {
        private final List<ActorRef<Object>> nodes;
        private final int next;
        private final Tally tally;

        RingNode(List<ActorRef<Object>> nodes, int next, Tally tally) {
            this.nodes = nodes;
            this.next = next;
            this.tally = tally;
        }

        Behavior<Object> receive(Object message) {
            if (!(message instanceof Token token)) {
                return Behaviors.stopped();
            }
            if (token.hop()) {
                nodes.get(next).tell(token);
            } else {
                tally.done(1);
            }
            return Behaviors.same();
        }
    }
}

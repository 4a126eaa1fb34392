// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekko;

import dev.treadle.benchmarks.Colours;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import java.util.SplittableRandom;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.UntypedAbstractActor;
import org.jspecify.annotations.Nullable;

/** Many talk to many: big, chameneos. */
final class Meetings {
    private static final Object START = "start";
    private static final Object PING = "ping";
    private static final Object PONG = "pong!";
    private static final Object STOP = "stop it";

    private Meetings() {}

    static void big(ActorSystem system, int messages) throws InterruptedException {
        int pings = Shape.share(messages, 2 * Shape.BIG);
        var tally = new Tally(Shape.BIG);
        var all = new ActorRef[Shape.BIG];
        for (int i = 0; i < all.length; i++) {
            int self = i;
            all[i] = PekkoPeer.start(system, Pinger.class, () -> new Pinger(all, self, pings, tally));
        }
        PekkoPeer.tell(all, START);
        tally.check("pongs", (long) pings * Shape.BIG);
        PekkoPeer.tell(all, STOP);
    }

    static void chameneos(ActorSystem system, int meetings) throws InterruptedException {
        var tally = new Tally(Shape.CREATURES);
        ActorRef mall = PekkoPeer.start(system, Mall.class, () -> new Mall(meetings));
        PekkoPeer.start(system, Creature.class, Shape.CREATURES, i -> new Creature(mall, Colours.first(i), tally));
        tally.check("meetings of creatures", 2L * meetings);
    }

    private static final class Pinger extends UntypedAbstractActor {
        private final ActorRef[] all;
        private final int self;
        private final Tally tally;
        private final SplittableRandom random;
        private final int pings;
        private int pongs;

        Pinger(ActorRef[] all, int self, int pings, Tally tally) {
            this.all = all;
            this.self = self;
            this.pings = pings;
            this.tally = tally;
            this.random = new SplittableRandom(self);
        }

        @Override
        public void onReceive(Object message) {
            if (message.equals(PING)) {
                getSender().tell(PONG, ActorRef.noSender());
            } else if (message.equals(PONG)) {
                if (++pongs < pings) {
                    ping();
                } else {
                    tally.done(pongs);
                }
            } else if (message.equals(START)) {
                ping();
            } else {
                getContext().stop(getSelf());
            }
        }

        private void ping() {
            int other = random.nextInt(all.length - 1);
            all[other < self ? other : other + 1].tell(PING, getSelf());
        }
    }

    private static final class Mall extends UntypedAbstractActor {
        private int meetingsLeft;
        private int creaturesLeft = Shape.CREATURES;
        private @Nullable ActorRef waiting;
        private @Nullable Object waitingColour;

        Mall(int meetings) {
            meetingsLeft = meetings;
        }

        @Override
        public void onReceive(Object message) {
            ActorRef creature = getSender();
            if (meetingsLeft == 0) {
                creature.tell(Colours.NO_MORE, getSelf());
                if (--creaturesLeft == 0) {
                    getContext().stop(getSelf());
                }
            } else if (waiting == null) {
                waiting = creature;
                waitingColour = message;
            } else {
                waiting.tell(message, getSelf());
                creature.tell(waitingColour, getSelf());
                waiting = null;
                meetingsLeft--;
            }
        }
    }

    private static final class Creature extends UntypedAbstractActor {
        private final ActorRef mall;
        private final Tally tally;
        private int colour;
        private int met;

        Creature(ActorRef mall, int colour, Tally tally) {
            this.mall = mall;
            this.colour = colour;
            this.tally = tally;
        }

        @Override
        public void preStart() {
            mall.tell(colour, getSelf());
        }

        @Override
        public void onReceive(Object message) {
            int other = (Integer) message;
            if (other == Colours.NO_MORE) {
                tally.done(met);
                getContext().stop(getSelf());
            } else {
                met++;
                colour = Colours.afterMeeting(colour, other);
                mall.tell(colour, getSelf());
            }
        }
    }
}

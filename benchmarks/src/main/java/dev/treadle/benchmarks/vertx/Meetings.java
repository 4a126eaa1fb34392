// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vertx;

import dev.treadle.benchmarks.Colours;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import io.vertx.core.Context;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Many talk to many: big, chameneos. */
final class Meetings {
    private static final Object START = "start";
    private static final Object PONG = "pong";

    private Meetings() {}

    private record Meet(Creature creature, int colour) {}

    static void big(EventLoops loops, int messages) throws InterruptedException {
        int pings = Shape.share(messages, 2 * Shape.BIG);
        var tally = new Tally(Shape.BIG);
        var all = new Pinger[Shape.BIG];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Pinger(loops.of(i), all, i, pings, tally);
        }
        for (Pinger pinger : all) {
            pinger.send(START);
        }
        tally.check("pongs", (long) pings * Shape.BIG);
    }

    static void chameneos(EventLoops loops, int meetings) throws InterruptedException {
        var tally = new Tally(Shape.CREATURES);
        var mall = new Mall(loops.of(0), meetings);
        for (int i = 0; i < Shape.CREATURES; i++) {
            new Creature(loops.of(i), mall, Colours.first(i), tally).send(START);
        }
        tally.check("meetings of creatures", 2L * meetings);
    }

    /** A ping is the one who sent it: nothing else needs to be known to answer. */
    private static final class Pinger extends Actor {
        private final Pinger[] all;
        private final int self;
        private final Tally tally;
        private final SplittableRandom random;
        private final int pings;
        private int pongs;

        Pinger(Context context, Pinger[] all, int self, int pings, Tally tally) {
            super(context);
            this.all = all;
            this.self = self;
            this.pings = pings;
            this.tally = tally;
            this.random = new SplittableRandom(self);
        }

        @Override
        void receive(Object message) {
            if (message instanceof Pinger pinger) {
                pinger.send(PONG);
            } else if (message.equals(PONG)) {
                if (++pongs < pings) {
                    ping();
                } else {
                    tally.done(pongs);
                }
            } else {
                ping();
            }
        }

        private void ping() {
            int other = random.nextInt(all.length - 1);
            all[other < self ? other : other + 1].send(this);
        }
    }

    private static final class Mall extends Actor {
        private int meetingsLeft;
        private @Nullable Meet waiting;

        Mall(Context context, int meetings) {
            super(context);
            meetingsLeft = meetings;
        }

        @Override
        void receive(Object message) {
            var meet = (Meet) message;
            if (meetingsLeft == 0) {
                meet.creature.send(Colours.NO_MORE);
            } else if (waiting == null) {
                waiting = meet;
            } else {
                waiting.creature.send(meet.colour);
                meet.creature.send(waiting.colour);
                waiting = null;
                meetingsLeft--;
            }
        }
    }

    private static final class Creature extends Actor {
        private final Mall mall;
        private final Tally tally;
        private int colour;
        private int met;

        Creature(Context context, Mall mall, int colour, Tally tally) {
            super(context);
            this.mall = mall;
            this.colour = colour;
            this.tally = tally;
        }

        @Override
        void receive(Object message) {
            if (message instanceof Integer other) {
                if (other == Colours.NO_MORE) {
                    tally.done(met);
                    return;
                }
                met++;
                colour = Colours.afterMeeting(colour, other);
            }
            mall.send(new Meet(this, colour));
        }
    }
}

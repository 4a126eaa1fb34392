// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.treadle;

import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import dev.treadle.benchmarks.Colours;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Many talk to many: big, chameneos. */
final class Meetings {
    private static final String START = "start";
    private static final String PING = "ping";
    private static final String PONG = "pong!";
    private static final String STOP = "stop it";
    private static final String MEET = "meet";

    private Meetings() {}

    static void big(Scheduler scheduler, int messages) throws InterruptedException {
        int pings = Shape.share(messages, 2 * Shape.BIG);
        var tally = new Tally(Shape.BIG);
        var all = new Pid[Shape.BIG];
        for (int i = 0; i < all.length; i++) {
            all[i] = scheduler.submit(new Pinger(all, i, pings, tally), "main").pid();
        }
        TreadlePeer.tell(scheduler, all, START);
        tally.check("pongs", (long) pings * Shape.BIG);
        TreadlePeer.tell(scheduler, all, STOP);
    }

    static void chameneos(Scheduler scheduler, int meetings) throws InterruptedException {
        var tally = new Tally(Shape.CREATURES);
        Pid mall = scheduler.submit(new Mall(meetings), "main").pid();
        TreadlePeer.start(scheduler, Shape.CREATURES, i -> new Creature(mall, Colours.first(i), tally));
        tally.check("meetings of creatures", 2L * meetings);
    }

    private static final class Pinger extends Actor {
        private final Pid[] all;
        private final int self;
        private final Tally tally;
        private final SplittableRandom random;
        private final int pings;
        private int pongs;

        Pinger(Pid[] all, int self, int pings, Tally tally) {
            this.all = all;
            this.self = self;
            this.pings = pings;
            this.tally = tally;
            this.random = new SplittableRandom(self);
        }

        @Override
        void receive(Message message, StepOutput out) {
            switch (message.topic()) {
                case PING -> send(sender(message), PONG, null);
                case PONG -> {
                    if (++pongs < pings) {
                        ping();
                    } else {
                        tally.done(pongs);
                    }
                }
                case START -> ping();
                default -> out.done();
            }
        }

        private void ping() {
            int other = random.nextInt(all.length - 1);
            send(all[other < self ? other : other + 1], PING, null);
        }
    }

    private static final class Mall extends Actor {
        private int meetingsLeft;
        private int creaturesLeft = Shape.CREATURES;
        private @Nullable Pid waiting;
        private @Nullable Object waitingColour;

        Mall(int meetings) {
            meetingsLeft = meetings;
        }

        @Override
        void receive(Message message, StepOutput out) {
            Pid creature = sender(message);
            if (meetingsLeft == 0) {
                send(creature, MEET, Colours.NO_MORE);
                if (--creaturesLeft == 0) {
                    out.done();
                }
            } else if (waiting == null) {
                waiting = creature;
                waitingColour = message.payload();
            } else {
                send(waiting, MEET, message.payload());
                send(creature, MEET, waitingColour);
                waiting = null;
                meetingsLeft--;
            }
        }
    }

    private static final class Creature extends Actor {
        private final Pid mall;
        private final Tally tally;
        private int colour;
        private int met;

        Creature(Pid mall, int colour, Tally tally) {
            this.mall = mall;
            this.colour = colour;
            this.tally = tally;
        }

        @Override
        void emptyStep(StepOutput out) {
            send(mall, MEET, colour);
        }

        @Override
        void receive(Message message, StepOutput out) {
            int other = message.payload(Integer.class);
            if (other == Colours.NO_MORE) {
                tally.done(met);
                out.done();
            } else {
                met++;
                colour = Colours.afterMeeting(colour, other);
                send(mall, MEET, colour);
            }
        }
    }
}

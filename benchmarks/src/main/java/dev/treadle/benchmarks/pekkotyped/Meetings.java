// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekkotyped;

import dev.treadle.benchmarks.Colours;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Many talk to many: big, chameneos. */
final class Meetings {
    private static final Object START = "start";
    private static final Object PONG = "pong!";
    private static final Object STOP = "stop it";

    private Meetings() {}

    private record Ping(ActorRef<Object> from) {}

    private record Visit(ActorRef<Integer> creature, int colour) {}

    static void big(Guardian guardian, int messages) throws InterruptedException {
        int pings = Shape.share(messages, 2 * Shape.BIG);
        var tally = new Tally(Shape.BIG);
        List<ActorRef<Object>> all = guardian.ask(context -> {
            var refs = new ArrayList<ActorRef<Object>>(Shape.BIG);
            for (int i = 0; i < Shape.BIG; i++) {
                refs.add(context.spawnAnonymous(Pinger.behavior(refs, i, pings, tally)));
            }
            return refs;
        });
        all.forEach(pinger -> pinger.tell(START));
        tally.check("pongs", (long) pings * Shape.BIG);
        all.forEach(pinger -> pinger.tell(STOP));
    }

    static void chameneos(Guardian guardian, int meetings) throws InterruptedException {
        var tally = new Tally(Shape.CREATURES);
        guardian.tell(context -> {
            ActorRef<Visit> mall = context.spawnAnonymous(Behaviors.receiveMessage(new Mall(meetings)::receive));
            for (int i = 0; i < Shape.CREATURES; i++) {
                context.spawnAnonymous(Creature.behavior(mall, Colours.first(i), tally));
            }
        });
        tally.check("meetings of creatures", 2L * meetings);
    }

    private static final class Pinger {
        private final Ping mine;
        private final List<ActorRef<Object>> all;
        private final int index;
        private final Tally tally;
        private final SplittableRandom random;
        private final int pings;
        private int pongs;

        private Pinger(ActorRef<Object> self, List<ActorRef<Object>> all, int index, int pings, Tally tally) {
            this.mine = new Ping(self);
            this.all = all;
            this.index = index;
            this.pings = pings;
            this.tally = tally;
            this.random = new SplittableRandom(index);
        }

        static Behavior<Object> behavior(List<ActorRef<Object>> all, int index, int pings, Tally tally) {
            return Behaviors.setup(context ->
                    Behaviors.receiveMessage(new Pinger(context.getSelf(), all, index, pings, tally)::receive));
        }

        private Behavior<Object> receive(Object message) {
            if (message instanceof Ping ping) {
                ping.from.tell(PONG);
            } else if (message.equals(PONG)) {
                if (++pongs < pings) {
                    ping();
                } else {
                    tally.done(pongs);
                }
            } else if (message.equals(START)) {
                ping();
            } else {
                return Behaviors.stopped();
            }
            return Behaviors.same();
        }

        private void ping() {
            int other = random.nextInt(all.size() - 1);
            all.get(other < index ? other : other + 1).tell(mine);
        }
    }

    private static final class Mall {
        private int meetingsLeft;
        private int creaturesLeft = Shape.CREATURES;
        private @Nullable Visit waiting;

        Mall(int meetings) {
            meetingsLeft = meetings;
        }

        Behavior<Visit> receive(Visit visit) {
            if (meetingsLeft == 0) {
                visit.creature.tell(Colours.NO_MORE);
                return --creaturesLeft == 0 ? Behaviors.stopped() : Behaviors.same();
            }
            Visit first = waiting;
            if (first == null) {
                waiting = visit;
            } else {
                first.creature.tell(visit.colour);
                visit.creature.tell(first.colour);
                waiting = null;
                meetingsLeft--;
            }
            return Behaviors.same();
        }
    }

    private static final class Creature {
        private final ActorRef<Integer> self;
        private final ActorRef<Visit> mall;
        private final Tally tally;
        private int colour;
        private int met;

        private Creature(ActorRef<Integer> self, ActorRef<Visit> mall, int colour, Tally tally) {
            this.self = self;
            this.mall = mall;
            this.colour = colour;
            this.tally = tally;
        }

        static Behavior<Integer> behavior(ActorRef<Visit> mall, int colour, Tally tally) {
            return Behaviors.setup(context -> {
                var creature = new Creature(context.getSelf(), mall, colour, tally);
                creature.visit();
                return Behaviors.receiveMessage(creature::receive);
            });
        }

        private void visit() {
            mall.tell(new Visit(self, colour));
        }

        private Behavior<Integer> receive(Integer other) {
            if (other == Colours.NO_MORE) {
                tally.done(met);
                return Behaviors.stopped();
            }
            met++;
            colour = Colours.afterMeeting(colour, other);
            visit();
            return Behaviors.same();
        }
    }
}

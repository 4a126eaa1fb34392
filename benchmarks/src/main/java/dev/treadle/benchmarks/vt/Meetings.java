// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vt;

import dev.treadle.benchmarks.Colours;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;

/** Many talk to many: big, chameneos. */
final class Meetings {
    private static final Object PONG = "pong";
    private static final Object STOP = "stop it";

    private Meetings() {}

    private record Meet(Mailbox creature, Integer colour) {}

    static void big(ThreadFactory threads, int messages) throws InterruptedException {
        int pings = Shape.share(messages, 2 * Shape.BIG);
        var tally = new Tally(Shape.BIG);
        var all = new Mailbox[Shape.BIG];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Mailbox();
        }
        for (int i = 0; i < all.length; i++) {
            int self = i;
            VtPeer.start(threads, () -> pinger(all, self, pings, tally));
        }
        tally.check("pongs", (long) pings * Shape.BIG);
        for (Mailbox mailbox : all) {
            mailbox.send(STOP);
        }
    }

    /** A ping is the mailbox of the one who sent it. */
    private static void pinger(Mailbox[] all, int self, int pings, Tally tally) {
        Mailbox mine = all[self];
        var random = new SplittableRandom(self);
        int pongs = 0;
        ping(all, self, random);
        for (Object message = mine.receive(); !message.equals(STOP); message = mine.receive()) {
            if (message instanceof Mailbox pinger) {
                pinger.send(PONG);
            } else if (++pongs < pings) {
                ping(all, self, random);
            } else {
                tally.done(pongs);
            }
        }
    }

    private static void ping(Mailbox[] all, int self, SplittableRandom random) {
        int other = random.nextInt(all.length - 1);
        all[other < self ? other : other + 1].send(all[self]);
    }

    static void chameneos(ThreadFactory threads, int meetings) throws InterruptedException {
        var tally = new Tally(Shape.CREATURES);
        var mall = new Mailbox();
        VtPeer.start(threads, () -> mall(mall, meetings));
        for (int i = 0; i < Shape.CREATURES; i++) {
            int colour = Colours.first(i);
            VtPeer.start(threads, () -> creature(mall, colour, tally));
        }
        tally.check("meetings of creatures", 2L * meetings);
    }

    private static void mall(Mailbox mine, int meetings) {
        for (int i = 0; i < meetings; i++) {
            var first = (Meet) mine.receive();
            var second = (Meet) mine.receive();
            first.creature.send(second.colour);
            second.creature.send(first.colour);
        }
        for (int i = 0; i < Shape.CREATURES; i++) {
            ((Meet) mine.receive()).creature.send(Colours.NO_MORE);
        }
    }

    private static void creature(Mailbox mall, int firstColour, Tally tally) {
        var mine = new Mailbox();
        int colour = firstColour;
        int met = 0;
        while (true) {
            mall.send(new Meet(mine, colour));
            int other = (Integer) mine.receive();
            if (other == Colours.NO_MORE) {
                break;
            }
            met++;
            colour = Colours.afterMeeting(colour, other);
        }
        tally.done(met);
    }
}

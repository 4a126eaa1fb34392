// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekko;

import dev.treadle.benchmarks.Creations;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.UntypedAbstractActor;
import org.jspecify.annotations.Nullable;

/** Processes that start processes: fjcreate, skynet. */
final class Families {
    private static final Object GO_ON = "go on";

    private Families() {}

    static void fjcreate(ActorSystem system, int processes) throws InterruptedException {
        var creations = new Creations(processes);
        ActorRef creator = PekkoPeer.start(system, Creator.class, () -> new Creator(creations));
        creator.tell(GO_ON, ActorRef.noSender());
        creations.check();
        system.stop(creator);
    }

    static void skynet(ActorSystem system, int processes) throws InterruptedException {
        int leaves = Shape.skynetLeaves(processes);
        var tally = new Tally(1);
        PekkoPeer.start(system, Node.class, () -> new Node(null, 0, leaves, tally));
        tally.check("sum of ordinals", (long) leaves * (leaves - 1) / 2);
    }

    private static final class Creator extends UntypedAbstractActor {
        private final Creations creations;
        private final Props props;

        Creator(Creations creations) {
            this.creations = creations;
            this.props = PekkoPeer.props(ShortLived.class, () -> new ShortLived(creations));
        }

        @Override
        public void onReceive(Object message) {
            for (int i = 0; i < Shape.SENDS_PER_TURN && creations.hasNext() && !creations.isFull(); i++) {
                Integer work = creations.next();
                getContext().actorOf(props).tell(work, ActorRef.noSender());
            }
            if (creations.hasNext()) {
                getSelf().tell(GO_ON, ActorRef.noSender());
            }
        }
    }

    private static final class ShortLived extends UntypedAbstractActor {
        private final Creations creations;

        ShortLived(Creations creations) {
            this.creations = creations;
        }

        @Override
        public void onReceive(Object message) {
            creations.ended((Integer) message);
            getContext().stop(getSelf());
        }
    }

    private static final class Node extends UntypedAbstractActor {
        private final @Nullable ActorRef parent;
        private final long first;
        private final int leaves;
        private final Tally tally;
        private int awaited = Shape.FAN_OUT;
        private long sum;

        Node(@Nullable ActorRef parent, long first, int leaves, Tally tally) {
            this.parent = parent;
            this.first = first;
            this.leaves = leaves;
            this.tally = tally;
        }

        @Override
        public void preStart() {
            if (leaves == 1) {
                report(first);
                return;
            }
            ActorRef self = getSelf();
            int share = leaves / Shape.FAN_OUT;
            for (int i = 0; i < Shape.FAN_OUT; i++) {
                long childFirst = first + (long) i * share;
                getContext().actorOf(PekkoPeer.props(Node.class, () -> new Node(self, childFirst, share, tally)));
            }
        }

        @Override
        public void onReceive(Object message) {
            sum += (Long) message;
            if (--awaited == 0) {
                report(sum);
            }
        }

        private void report(long sum) {
            if (parent == null) {
                tally.done(sum);
            } else {
                parent.tell(sum, ActorRef.noSender());
            }
            getContext().stop(getSelf());
        }
    }
}

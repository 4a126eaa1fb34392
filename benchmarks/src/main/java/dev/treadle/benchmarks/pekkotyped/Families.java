// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.pekkotyped;

import dev.treadle.benchmarks.Creations;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Processes that start processes: fjcreate, skynet. */
final class Families {
    private static final Object GO_ON = "go on";
    private static final Object STOP = "stop";

    private Families() {}

    static void fjcreate(Guardian guardian, int processes) throws InterruptedException {
        var creations = new Creations(processes);
        ActorRef<Object> creator = guardian.start(creator(creations));
        creator.tell(GO_ON);
        creations.check();
        creator.tell(STOP);
    }

    static void skynet(Guardian guardian, int processes) throws InterruptedException {
        int leaves = Shape.skynetLeaves(processes);
        var tally = new Tally(1);
        guardian.tell(context -> context.spawnAnonymous(Node.behavior(null, 0, leaves, tally)));
        tally.check("sum of ordinals", (long) leaves * (leaves - 1) / 2);
    }

    private static Behavior<Object> creator(Creations creations) {
        Behavior<Integer> shortLived = Behaviors.receiveMessage(work -> {
            creations.ended(work);
            return Behaviors.stopped();
        });
        return Behaviors.receive((context, message) -> {
            if (message.equals(STOP)) {
                return Behaviors.stopped();
            }
            for (int i = 0; i < Shape.SENDS_PER_TURN && creations.hasNext() && !creations.isFull(); i++) {
                Integer work = creations.next();
                context.spawnAnonymous(shortLived).tell(work);
            }
            if (creations.hasNext()) {
                context.getSelf().tell(message);
            }
            return Behaviors.same();
        });
    }

    private static final class Node {
        private final @Nullable ActorRef<Long> parent;
        private final Tally tally;
        private int awaited = Shape.FAN_OUT;
        private long sum;

        private Node(@Nullable ActorRef<Long> parent, Tally tally) {
            this.parent = parent;
            this.tally = tally;
        }

        static Behavior<Long> behavior(@Nullable ActorRef<Long> parent, long first, int leaves, Tally tally) {
            return Behaviors.setup(context -> {
                var node = new Node(parent, tally);
                if (leaves == 1) {
                    return node.report(first);
                }
                node.spawnChildren(context, first, leaves / Shape.FAN_OUT);
                return Behaviors.receiveMessage(node::receive);
            });
        }

        private void spawnChildren(ActorContext<Long> context, long first, int share) {
            for (int i = 0; i < Shape.FAN_OUT; i++) {
                context.spawnAnonymous(behavior(context.getSelf(), first + (long) i * share, share, tally));
            }
        }

        private Behavior<Long> receive(Long part) {
            sum += part;
            return --awaited == 0 ? report(sum) : Behaviors.same();
        }

        private Behavior<Long> report(long sum) {
            if (parent == null) {
                tally.done(sum);
            } else {
                parent.tell(sum);
            }
            return Behaviors.stopped();
        }
    }
}

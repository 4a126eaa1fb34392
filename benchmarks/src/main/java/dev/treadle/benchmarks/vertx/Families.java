// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vertx;

import dev.treadle.benchmarks.Creations;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import io.vertx.core.Context;
import org.jspecify.annotations.Nullable;

/** Processes that start processes: fjcreate, skynet. */
final class Families {
    private static final Object GO_ON = "go on";

    private Families() {}

    static void fjcreate(EventLoops loops, int processes) throws InterruptedException {
        var creations = new Creations(processes);
        new Creator(loops, creations).send(GO_ON);
        creations.check();
    }

    static void skynet(EventLoops loops, int processes) throws InterruptedException {
        int leaves = Shape.skynetLeaves(processes);
        var tally = new Tally(1);
        new Node(loops, loops.of(0), null, 0, leaves, tally).send(GO_ON);
        tally.check("sum of ordinals", (long) leaves * (leaves - 1) / 2);
    }

    private static final class Creator extends Actor {
        private final EventLoops loops;
        private final Creations creations;

        Creator(EventLoops loops, Creations creations) {
            super(loops.of(0));
            this.loops = loops;
            this.creations = creations;
        }

        @Override
        void receive(Object message) {
            for (int i = 0; i < Shape.SENDS_PER_TURN && creations.hasNext() && !creations.isFull(); i++) {
                Integer work = creations.next();
                new ShortLived(loops.of(work), creations).send(work);
            }
            if (creations.hasNext()) {
                send(GO_ON);
            }
        }
    }

    private static final class ShortLived extends Actor {
        private final Creations creations;

        ShortLived(Context context, Creations creations) {
            super(context);
            this.creations = creations;
        }

        @Override
        void receive(Object message) {
            creations.ended((Integer) message);
        }
    }

    private static final class Node extends Actor {
        private final EventLoops loops;
        private final Context context;
        private final @Nullable Node parent;
        private final long first;
        private final int leaves;
        private final Tally tally;
        private int awaited = Shape.FAN_OUT;
        private long sum;

        Node(EventLoops loops, Context context, @Nullable Node parent, long first, int leaves, Tally tally) {
            super(context);
            this.loops = loops;
            this.context = context;
            this.parent = parent;
            this.first = first;
            this.leaves = leaves;
            this.tally = tally;
        }

        @Override
        void receive(Object message) {
            if (message instanceof Long part) {
                sum += part;
                if (--awaited == 0) {
                    report(sum);
                }
            } else if (leaves == 1) {
                report(first);
            } else {
                int share = leaves / Shape.FAN_OUT;
                for (int i = 0; i < Shape.FAN_OUT; i++) {
                    // The root spreads its children, the others keep theirs near.
                    Context place = parent == null ? loops.of(i) : context;
                    new Node(loops, place, this, first + (long) i * share, share, tally).send(GO_ON);
                }
            }
        }

        private void report(long sum) {
            if (parent == null) {
                tally.done(sum);
            } else {
                parent.send(sum);
            }
        }
    }
}

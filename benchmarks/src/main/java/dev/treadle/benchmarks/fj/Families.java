// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.fj;

import dev.treadle.benchmarks.Creations;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/** Processes that start processes: fjcreate, skynet. */
final class Families {
    private static final Object GO_ON = "go on";

    private Families() {}

    static void fjcreate(ForkJoinPool pool, int processes) throws InterruptedException {
        var creations = new Creations(processes);
        new Creator(pool, creations).send(GO_ON);
        creations.check();
    }

    static void skynet(ForkJoinPool pool, int processes) throws InterruptedException {
        int leaves = Shape.skynetLeaves(processes);
        var tally = new Tally(1);
        new Node(pool, null, 0, leaves, tally).send(GO_ON);
        tally.check("sum of ordinals", (long) leaves * (leaves - 1) / 2);
    }

    private static final class Creator extends Actor {
        private final Creations creations;

        Creator(ForkJoinPool pool, Creations creations) {
            super(pool);
            this.creations = creations;
        }

        @Override
        void receive(Object message) {
            for (int i = 0; i < Shape.SENDS_PER_TURN && creations.hasNext() && !creations.isFull(); i++) {
                Integer work = creations.next();
                new ShortLived(pool(), creations).send(work);
            }
            if (creations.hasNext()) {
                yieldTurn(GO_ON);
            }
        }
    }

    private static final class ShortLived extends Actor {
        private final Creations creations;

        ShortLived(ForkJoinPool pool, Creations creations) {
            super(pool);
            this.creations = creations;
        }

        @Override
        void receive(Object message) {
            creations.ended((Integer) message);
        }
    }

    private static final class Node extends Actor {
        private final @Nullable Node parent;
        private final long first;
        private final int leaves;
        private final Tally tally;
        private int awaited = Shape.FAN_OUT;
        private long sum;

        Node(ForkJoinPool pool, @Nullable Node parent, long first, int leaves, Tally tally) {
            super(pool);
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
                    new Node(pool(), this, first + (long) i * share, share, tally).send(GO_ON);
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

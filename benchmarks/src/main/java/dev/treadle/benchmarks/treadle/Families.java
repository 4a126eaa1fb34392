// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.treadle;

import dev.treadle.Message;
import dev.treadle.Pid;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import dev.treadle.benchmarks.Creations;
import dev.treadle.benchmarks.Shape;
import dev.treadle.benchmarks.Tally;
import org.jspecify.annotations.Nullable;

/** Processes that start processes: fjcreate, skynet. */
final class Families {
    private static final String WORK = "work";
    private static final String SUM = "sum";

    private Families() {}

    static void fjcreate(Scheduler scheduler, int processes) throws InterruptedException {
        var creations = new Creations(processes);
        scheduler.submit(new Creator(creations), "main");
        creations.check();
    }

    static void skynet(Scheduler scheduler, int processes) throws InterruptedException {
        int leaves = Shape.skynetLeaves(processes);
        var tally = new Tally(1);
        scheduler.submit(new Node(null, 0, leaves, tally), "main");
        tally.check("sum of ordinals", (long) leaves * (leaves - 1) / 2);
    }

    private static final class Creator extends Actor {
        private final Creations creations;

        Creator(Creations creations) {
            this.creations = creations;
        }

        @Override
        void emptyStep(StepOutput out) {
            for (int i = 0; i < Shape.SENDS_PER_TURN && creations.hasNext() && !creations.isFull(); i++) {
                Integer work = creations.next();
                context().spawn(new ShortLived(creations), "main").send(WORK, work);
            }
            if (creations.hasNext()) {
                out.again();
            } else {
                out.done();
            }
        }

        @Override
        void receive(Message message, StepOutput out) {}
    }

    private static final class ShortLived extends Actor {
        private final Creations creations;

        ShortLived(Creations creations) {
            this.creations = creations;
        }

        @Override
        void receive(Message message, StepOutput out) {
            creations.ended(message.payload(Integer.class));
            out.done();
        }
    }

    private static final class Node extends Actor {
        private final @Nullable Pid parent;
        private final long first;
        private final int leaves;
        private final Tally tally;
        private int awaited = Shape.FAN_OUT;
        private long sum;

        Node(@Nullable Pid parent, long first, int leaves, Tally tally) {
            this.parent = parent;
            this.first = first;
            this.leaves = leaves;
            this.tally = tally;
        }

        @Override
        void emptyStep(StepOutput out) {
            if (leaves == 1) {
                report(first, out);
                return;
            }
            int share = leaves / Shape.FAN_OUT;
            for (int i = 0; i < Shape.FAN_OUT; i++) {
                context().spawn(new Node(context().self(), first + (long) i * share, share, tally), "main");
            }
        }

        @Override
        void receive(Message message, StepOutput out) {
            sum += message.payload(Long.class);
            if (--awaited == 0) {
                report(sum, out);
            }
        }

        private void report(long sum, StepOutput out) {
            if (parent == null) {
                tally.done(sum);
            } else {
                send(parent, SUM, sum);
            }
            out.done();
        }
    }
}

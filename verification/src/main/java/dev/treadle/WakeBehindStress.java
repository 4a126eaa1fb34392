// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.queue.WorkStealingDeque;
import dev.treadle.verification.Twin;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A worker puts a process behind another, takes that one, and signals without a fence of its own; another worker announces
 * its sleep and looks at all queues.
 *
 * <p>Results: 1 if the sleeper was woken, 1 if the sleeper found work. Covers the order of popOldest and the look for
 * sleepers; the twin looks before it takes.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the maker woke the sleeper")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the sleeper saw the work")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost wake-up")
@State
public class WakeBehindStress {
    private final Parts parts = Twin.WAKE_BEHIND_LOOKS_FIRST.isChosen() ? new TwinParts() : new Production();

    @Actor
    public void maker(II_Result result) {
        result.r1 = parts.make();
    }

    @Actor
    public void sleeper(II_Result result) {
        result.r2 = parts.sleep() ? 1 : 0;
    }

    private interface Parts {
        int make();

        boolean sleep();
    }

    private static final class Production implements Parts {
        private final AtomicInteger unparks = new AtomicInteger();
        private final WorkerGroup group = Cells.schedulerWith(2, unparks).group;
        private final WorkerQueues queues = group.workers()[0].queues;
        private final ProcessCell behind = Cells.make();

        Production() {
            queues.pushBehind(1, Cells.make());
        }

        @Override
        public int make() {
            queues.pushBehind(1, behind);
            if (queues.find() == null) {
                throw new AssertionError("nothing to take");
            }
            return unparks.get();
        }

        @Override
        public boolean sleep() {
            group.sleepers.announce(1, false);
            return group.hasWork();
        }
    }

    /** Takes nothing before it looks, so that its push may pass the look. */
    private static final class TwinParts implements Parts {
        private final Sleepers sleepers = new Sleepers(1, 1);
        private final WorkStealingDeque<Object> later = new WorkStealingDeque<>(2, 2);

        @Override
        public int make() {
            later.push(this);
            return sleepers.claim() == Sleepers.NOBODY ? 0 : 1;
        }

        @Override
        public boolean sleep() {
            sleepers.announce(0, false);
            return !later.isEmpty();
        }
    }
}

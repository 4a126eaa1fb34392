// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A handler answers from another thread while the worker ends the dispatch and puts the process to sleep.
 *
 * <p>Results: 1 if it slept, 1 if the answer was delivered, how often the process was pushed to a work queue.
 */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "the answer wakes it")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "the worker keeps it ready")
@Outcome(expect = Expect.FORBIDDEN, desc = "an answer that nobody hears, or a process in two queues")
@State
public class DispatchEndStress {
    private final Dispatch dispatch = Twin.ANSWER_RAISES_NO_FLAG.isChosen() ? new TwinDispatch() : new Production();

    @Actor
    public void worker(III_Result result) {
        result.r1 = dispatch.end() ? 1 : 0;
    }

    @Actor
    public void handler(III_Result result) {
        result.r2 = dispatch.answer() ? 1 : 0;
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = dispatch.pushed();
    }

    private interface Dispatch {
        boolean end();

        boolean answer();

        int pushed();
    }

    private static final class Production implements Dispatch {
        private final Scheduler scheduler = Cells.schedulerWith(1, new AtomicInteger());
        private final ProcessCell cell = Cells.makeOpen(scheduler, "first", null);
        private final YieldInFlight yield = new YieldInFlight(cell, 5, Map.of());

        Production() {
            cell.link(yield);
        }

        @Override
        public boolean end() {
            return cell.sleep(ProcessState.BLOCKED);
        }

        @Override
        public boolean answer() {
            return yield.completeYield(5, "answer", null);
        }

        @Override
        public int pushed() {
            return scheduler.group.globalLength();
        }
    }

    private static final class TwinDispatch implements Dispatch {
        private final QueueUnderTest queue = new TwinQueue();
        private boolean woke;

        @Override
        public boolean end() {
            return queue.sleep(ProcessState.BLOCKED);
        }

        @Override
        public boolean answer() {
            EventStack.Push push = queue.pushUrgent();
            woke = push == EventStack.Push.WAKE;
            return push != EventStack.Push.CLOSED;
        }

        @Override
        public int pushed() {
            return woke ? 1 : 0;
        }
    }
}

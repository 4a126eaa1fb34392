// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A process is born while a shutdown asks all processes to end: it is told by the shutdown, or by its submitter, or it is
 * refused. The submitter and the shutdown each write and then look at what the other wrote.
 *
 * <p>Results: 1 if it was accepted, 1 if it got a cancel signal, how often it was
 * closed.
 */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "accepted, and told")
@Outcome(id = "0, 0, [01]", expect = Expect.ACCEPTABLE, desc = "refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "a process that was never told to end")
@State
public class CancelHeardStress {
    private final Ending ending = Twin.SHUTDOWN_NOT_LOOKED_AT_AGAIN.isChosen() ? new TwinEnding() : new Production();

    @Actor
    public void submitter(III_Result result) {
        result.r1 = ending.submit() ? 1 : 0;
    }

    @Actor
    public void shutdown() {
        ending.shutDown();
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r2 = ending.told() ? 1 : 0;
        result.r3 = ending.closed();
    }

    private interface Ending {
        boolean submit();

        void shutDown();

        boolean told();

        int closed();
    }

    private static final class Production implements Ending {
        private final Scheduler scheduler = Cells.schedulerWith(1, new AtomicInteger());
        private final Listening process = new Listening();

        @Override
        public boolean submit() {
            try {
                scheduler.submit(process, "main");
                return true;
            } catch (SubmissionRefusedException e) {
                return false;
            }
        }

        @Override
        public void shutDown() {
            scheduler.shutdown(Duration.ZERO);
        }

        @Override
        public boolean told() {
            return process.context != null && process.context.isCancelled();
        }

        @Override
        public int closed() {
            return process.closed.get();
        }
    }

    private static final class Listening implements Process {
        private final AtomicInteger closed = new AtomicInteger();
        private @Nullable ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.done();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private static final class TwinEnding implements Ending {
        private volatile boolean stopping;
        private volatile boolean open;
        private volatile boolean told;

        @Override
        public boolean submit() {
            if (stopping) {
                return false;
            }
            open = true;
            return true;
        }

        @Override
        public void shutDown() {
            stopping = true;
            told |= open;
        }

        @Override
        public boolean told() {
            return told;
        }

        @Override
        public int closed() {
            return told ? 1 : 0;
        }
    }
}

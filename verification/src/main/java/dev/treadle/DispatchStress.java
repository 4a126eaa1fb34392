// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The same through a whole scheduler: its worker runs a step that yields, the handler passes the receiver on, and another thread
 * answers while the worker is still in the dispatch.
 *
 * <p>Results: how many completions the process got, how many steps it took. There is no twin of this whole path: its parts
 * have theirs in {@link DispatchEndStress}.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "one step that yields, one with the completion")
@Outcome(expect = Expect.FORBIDDEN, desc = "a completion was lost or doubled")
@State
public class DispatchStress {
    private volatile @Nullable ResultReceiver receiver;
    private final Asking process = new Asking();
    private final SteppedScheduler stepped;

    public DispatchStress() {
        var registry = new CommandRegistry().register(Ask.class, (command, receiver) -> this.receiver = receiver);
        stepped = Scheduler.builder().workers(1).handlers(registry).stepped();
        stepped.scheduler().submit(process, "main");
    }

    @Actor
    public void worker() {
        stepped.runOne(0);
    }

    @Actor
    public void handler() {
        ResultReceiver receiver = this.receiver;
        while (receiver == null) {
            Thread.onSpinWait();
            receiver = this.receiver;
        }
        receiver.complete("answer");
    }

    @Arbiter
    public void rest(II_Result result) {
        stepped.runAll();
        result.r1 = process.completions;
        result.r2 = process.steps;
    }

    private record Ask() implements Command {}

    private static final class Asking implements Process {
        private int steps;
        private int completions;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {}

        @Override
        public void step(Events events, StepOutput out) {
            steps++;
            completions += events.size();
            if (steps == 1) {
                out.yield(new Ask(), 1);
                out.await();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessExit;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The process behind a {@link Pool}: watches the workers, replaces those that end, and ends them when it ends. */
final class PoolKeeper implements Process {
    private final Pool pool;
    private final PoolOptions options;
    private final Deque<Long> failures = new ArrayDeque<>();
    private @Nullable ProcessContext context;

    PoolKeeper(Pool pool, PoolOptions options) {
        this.pool = pool;
        this.options = options;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
    }

    @Override
    public void step(Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Signal signal) {
                ProcessExit exit = signal.exit();
                if (signal.isCancel()) {
                    out.done();
                    return;
                } else if (exit != null) {
                    replace(exit);
                }
            }
        }
    }

    private void replace(ProcessExit exit) {
        Throwable reason = exit.reason();
        boolean failed = !exit.isDone();
        while (pool.holds(exit.pid())) {
            if (failed) {
                countFailure(reason);
            }
            try {
                pool.replace(exit.pid());
            } catch (RuntimeException e) {
                reason = e; // its init failed: try again, as long as that is allowed
                failed = true;
            }
        }
    }

    private void countFailure(@Nullable Throwable reason) {
        ProcessContext context = this.context;
        long now = context == null ? 0 : context.time().nanos();
        while (!failures.isEmpty()
                && now - failures.peekFirst() > options.restartsWithin().toNanos()) {
            failures.removeFirst();
        }
        failures.addLast(now);
        if (failures.size() > options.restarts()) {
            throw new IllegalStateException(
                    failures.size() + " workers of a pool ended abnormally within " + options.restartsWithin()
                            + ", at most " + options.restarts() + " may: see the cause, or raise restarts",
                    reason);
        }
    }

    @Override
    public void close() {
        for (Pid worker : pool.end()) {
            pool.node().cancel(worker, "its pool has ended", Pool.GRACE);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A process that counts the calls it gets, and notes each that comes when it must not. The test says what it does. */
final class TrackedProcess implements Process {
    final AtomicInteger inits = new AtomicInteger();
    final AtomicInteger steps = new AtomicInteger();
    final AtomicInteger closes = new AtomicInteger();
    private final AtomicInteger inside = new AtomicInteger();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final StepFunction step;
    private Init init = (context, method, input) -> {};
    private Close close = () -> {};
    private volatile ProcessContext context;

    /** What it does in init. */
    interface Init {
        void init(ProcessContext context, String method, Payloads input) throws Exception;
    }

    /** What it does in close. */
    interface Close {
        void close() throws Exception;
    }

    TrackedProcess(StepFunction step) {
        this.step = step;
    }

    /** Returns one that waits for events and ignores them. */
    static TrackedProcess idle() {
        return new TrackedProcess((events, out) -> out.idle());
    }

    /** Returns one that is done at once. */
    static TrackedProcess done(Object result) {
        return new TrackedProcess((events, out) -> out.done(result));
    }

    TrackedProcess onInit(Init init) {
        this.init = init;
        return this;
    }

    TrackedProcess onClose(Close close) {
        this.close = close;
        return this;
    }

    ProcessContext context() {
        return Objects.requireNonNull(context, "init was not called");
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) throws Exception {
        enter("init", inits.incrementAndGet() == 1 && steps.get() == 0 && closes.get() == 0);
        this.context = context;
        try {
            init.init(context, method, input);
        } finally {
            inside.decrementAndGet();
        }
    }

    @Override
    public void step(Events events, StepOutput out) throws Exception {
        steps.incrementAndGet();
        enter("step", inits.get() == 1 && closes.get() == 0);
        try {
            step.step(events, out);
        } finally {
            inside.decrementAndGet();
        }
    }

    @Override
    public void close() throws Exception {
        enter("close", inits.get() == 1 && closes.incrementAndGet() == 1);
        try {
            close.close();
        } finally {
            inside.decrementAndGet();
        }
    }

    private void enter(String what, boolean due) {
        if (!due) {
            problems.add(what + " after " + inits + " inits, " + steps + " steps, " + closes + " closes");
        }
        if (inside.incrementAndGet() != 1) {
            problems.add(what + " while another call ran");
        }
    }

    /** Checks that it was initialised once and closed once, each at its time. */
    void assertClosedOnce() {
        assertThat(problems).as("calls out of order").isEmpty();
        assertThat(inits).as("calls of init").hasValue(1);
        assertThat(closes).as("calls of close").hasValue(1);
    }

    /** Checks that the scheduler never touched it. */
    void assertNeverCalled() {
        assertThat(inits).as("calls of init").hasValue(0);
        assertThat(steps).as("calls of step").hasValue(0);
        assertThat(closes).as("calls of close").hasValue(0);
    }
}

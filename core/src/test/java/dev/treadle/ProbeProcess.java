// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.atomic.AtomicInteger;

/** A process that counts its calls, and leaves what it does at each step to the test. */
final class ProbeProcess implements Process {
    /** What the process does at a step; it says nothing if the test has nothing to say, and so stays idle. */
    interface Body {
        void step(ProcessContext context, Events events, StepOutput out) throws Exception;
    }

    /** What the process does when it is closed. */
    interface Closing {
        void close() throws Exception;
    }

    final AtomicInteger inits = new AtomicInteger();
    final AtomicInteger steps = new AtomicInteger();
    final AtomicInteger cancels = new AtomicInteger();
    final AtomicInteger closes = new AtomicInteger();
    private final Body body;
    private final Closing closing;
    private ProcessContext context;

    ProbeProcess(Body body) {
        this(body, () -> {});
    }

    ProbeProcess(Body body, Closing closing) {
        this.body = body;
        this.closing = closing;
    }

    /** A process that waits for messages for ever, whatever it is asked. */
    static ProbeProcess deaf() {
        return new ProbeProcess((context, events, out) -> {});
    }

    /** A process that ends when it is asked to. */
    static ProbeProcess obedient() {
        return new ProbeProcess((context, events, out) -> {
            if (isCancelled(events)) {
                out.done("cancelled");
            }
        });
    }

    static boolean isCancelled(Events events) {
        for (Event event : events) {
            if (event instanceof Signal signal && signal.isCancel()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        inits.incrementAndGet();
        this.context = context;
    }

    @Override
    public void step(Events events, StepOutput out) throws Exception {
        steps.incrementAndGet();
        for (Event event : events) {
            if (event instanceof Signal signal && signal.isCancel()) {
                cancels.incrementAndGet();
            }
        }
        body.step(context, events, out);
    }

    @Override
    public void close() throws Exception {
        closes.incrementAndGet();
        closing.close();
    }
}

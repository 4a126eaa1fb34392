// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.concurrent.CountDownLatch;

/** A process whose one step holds its worker until the test lets it go. */
final class HoldingProcess implements Process {
    private static final long PATIENCE_SECONDS = 60;

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    @Override
    public void init(ProcessContext context, String method, Payloads input) {}

    @Override
    public void step(Events events, StepOutput out) throws InterruptedException {
        held.countDown();
        holdTheWorker();
        out.done();
    }

    /** A method of its own, to be looked for in stacks. */
    private void holdTheWorker() throws InterruptedException {
        if (!letGo.await(PATIENCE_SECONDS, SECONDS)) {
            throw new AssertionError("the test forgot to let this process go");
        }
    }

    /** Waits until the step has begun, and holds a worker. */
    void awaitHeld() throws InterruptedException {
        if (!held.await(PATIENCE_SECONDS, SECONDS)) {
            throw new AssertionError("no worker has run the step");
        }
    }

    boolean holds() {
        return held.getCount() == 0;
    }

    void letGo() {
        letGo.countDown();
    }
}

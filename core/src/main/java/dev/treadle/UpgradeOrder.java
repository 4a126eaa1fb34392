// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Objects;
import java.util.function.Function;

/** Puts another process in the place of this one at its next step boundary. A signal in the queue, never seen by a step. */
final class UpgradeOrder extends Signal {
    private final Function<? super Process, Submission> makesNext;

    UpgradeOrder(Function<? super Process, Submission> next) {
        super(Kind.EXIT, "upgrade", null, null, 0); // the kind is not looked at
        this.makesNext = next;
    }

    /** The worker that owns the process: what takes its place. Runs user code. */
    StepOutput.Upgrade follow(Process old) {
        Submission taking = Objects.requireNonNull(makesNext.apply(old), "an upgrade gave null: give what takes over");
        return new StepOutput.Upgrade(taking.process(), taking.method(), taking.input(), false);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Objects;

/** The process behind {@link Process#of}: a step and nothing else. */
final class StepProcess implements Process {
    private final StepFunction step;

    StepProcess(StepFunction step) {
        this.step = Objects.requireNonNull(step, "step is null: Process.of needs the function to call at each step");
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {}

    @Override
    public void step(Events events, StepOutput out) throws Exception {
        step.step(events, out);
    }

    @Override
    public String toString() {
        return "Process.of(" + step + ")";
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.StepOutput;
import java.util.List;

/** Tells many of one end, some in each step. Tells the rest when it is ended early. */
final class Announcer implements Process {
    private static final int PER_STEP = 200;

    private final List<Runnable> notices;
    private int told;

    Announcer(List<Runnable> notices) {
        this.notices = notices;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) {}

    @Override
    public void step(Events events, StepOutput out) {
        tellUpTo(Math.min(notices.size(), told + PER_STEP));
        if (told < notices.size()) {
            out.again();
        } else {
            out.done();
        }
    }

    @Override
    public void close() {
        tellUpTo(notices.size());
    }

    private void tellUpTo(int end) {
        while (told < end) {
            notices.get(told++).run();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.StepOutput;

/** Adds up numbers, tells each sum to a process that is not there, and ends at "end". */
final class Counter implements Process {
    private static final Pid NOBODY = Pid.of("main", 1_000_000);

    private ProcessContext context;
    private long sum;

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
    }

    @Override
    public void step(Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Message message && message.topic().equals("add")) {
                sum += message.payload(Integer.class);
                context.send(NOBODY, "sum", sum);
            } else if (event instanceof Message message && message.topic().equals("end")) {
                out.done(sum);
            }
        }
    }
}

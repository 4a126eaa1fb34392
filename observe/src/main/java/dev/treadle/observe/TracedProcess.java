// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.StepOutput;
import org.jspecify.annotations.Nullable;

/** A process that does what another one does, and lets a {@link Tracer} know what it gets. */
final class TracedProcess implements Process {
    private final Tracer tracer;
    private final Process process;
    private @Nullable Pid self;
    private Tracer.@Nullable Trace trace;

    TracedProcess(Tracer tracer, Process process) {
        this.tracer = tracer;
        this.process = process;
    }

    @Override
    public void init(ProcessContext context, String method, Payloads input) throws Exception {
        self = context.self();
        trace = tracer.begin(context.self());
        process.init(context, method, input);
    }

    /** Looks at the events after the step: what goes along with what the step sends depends on the event that it is at. */
    @Override
    public void step(Events events, StepOutput out) throws Exception {
        try {
            process.step(events, out);
        } finally {
            Tracer.Trace trace = this.trace;
            if (trace != null) {
                for (Event event : events) {
                    trace.add(Tracer.seen(event));
                }
            }
        }
    }

    @Override
    public void close() throws Exception {
        try {
            process.close();
        } finally {
            if (self != null) {
                tracer.end(self);
            }
        }
    }

    @Override
    public String toString() {
        return "Traced[" + process + "]";
    }
}

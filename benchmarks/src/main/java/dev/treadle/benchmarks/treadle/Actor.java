// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.treadle;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.StepOutput;
import org.jspecify.annotations.Nullable;

/** A process that only gets messages. */
abstract class Actor implements Process {
    @SuppressWarnings("NullAway.Init") // set by init
    private ProcessContext context;

    @Override
    public final void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
    }

    @Override
    public final void step(Events events, StepOutput out) {
        if (events.isEmpty()) {
            emptyStep(out);
        }
        for (Event event : events) {
            if (event instanceof Message message) {
                receive(message, out);
            }
        }
    }

    /** The first step, or one after {@link StepOutput#again}, if no message came meanwhile. */
    void emptyStep(StepOutput out) {}

    abstract void receive(Message message, StepOutput out);

    final ProcessContext context() {
        return context;
    }

    final void send(Pid target, String topic, @Nullable Object payload) {
        context.send(target, topic, payload);
    }

    static Pid sender(Message message) {
        Pid sender = message.sender();
        if (sender == null) {
            throw new IllegalStateException(message + " has no sender");
        }
        return sender;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.ProcessExit;
import dev.treadle.Signal;
import dev.treadle.StepOutput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A process for tests: writes down what it gets, and does what a message tells it. */
final class Probe implements Process {
    final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    final List<Signal> signals = Collections.synchronizedList(new ArrayList<>());
    private volatile @Nullable NodeContext node;
    private volatile @Nullable ProcessContext context;

    @Override
    public void init(ProcessContext context, String method, Payloads input) {
        this.context = context;
        node = NodeContext.of(context);
    }

    @Override
    @SuppressWarnings("unchecked")
    public void step(Events events, StepOutput out) {
        for (Event event : events) {
            if (event instanceof Signal signal) {
                signals.add(signal);
                if (signal.isCancel()) {
                    out.done("cancelled");
                }
            } else if (event instanceof Message message) {
                switch (message.topic()) {
                    case "done" -> out.done(message.payload());
                    case "throw" -> throw new IllegalStateException("as told");
                    case "do" ->
                        ((BiConsumer<NodeContext, StepOutput>) message.payload(BiConsumer.class)).accept(node, out);
                    default -> seen.add(message.topic());
                }
            }
        }
    }

    ProcessContext context() {
        return context;
    }

    /** The ends that it was told of, in short. */
    List<String> ends() {
        return signals.stream()
                .filter(signal -> !signal.isCancel())
                .map(signal -> signal.kind() + " " + inShort(signal.exit()))
                .toList();
    }

    private static String inShort(@Nullable ProcessExit exit) {
        if (exit == null) {
            return "?";
        }
        Throwable reason = exit.reason();
        return exit.kind()
                + (reason == null
                        ? " " + exit.result()
                        : " " + reason.getClass().getSimpleName());
    }
}

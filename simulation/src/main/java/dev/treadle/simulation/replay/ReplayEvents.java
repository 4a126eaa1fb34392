// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Event;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import dev.treadle.Signal;
import dev.treadle.StepHarness;
import dev.treadle.relay.Envelope;
import dev.treadle.relay.ReplyTo;
import dev.treadle.simulation.replay.Entry.Begin;
import dev.treadle.simulation.replay.Entry.CompletionIn;
import dev.treadle.simulation.replay.Entry.MessageIn;
import dev.treadle.simulation.replay.Entry.Received;
import dev.treadle.simulation.replay.Entry.SignalIn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the events of a process from its recording. */
final class ReplayEvents {
    /** Nobody waits; replies go through the context. */
    private static final ReplyTo NOBODY = new ReplyTo() {
        @Override
        public boolean reply(@Nullable Object payload) {
            return false;
        }

        @Override
        public boolean replyError(Throwable error) {
            return false;
        }
    };

    private final Pid self;
    private final ValueBuilder builder;

    ReplayEvents(Pid self, ValueBuilder builder) {
        this.self = self;
        this.builder = builder;
    }

    Payloads input(Begin begin) {
        return builder.object(begin.input()) instanceof List<?> input ? Payloads.of(input.toArray()) : Payloads.empty();
    }

    Event make(Received received) {
        if (received instanceof MessageIn in) {
            return StepHarness.message(new Envelope(
                    self,
                    in.sender(),
                    in.topic(),
                    builder.object(in.payload()),
                    attributes(in.attributes()),
                    in.isRequest() ? NOBODY : null));
        } else if (received instanceof CompletionIn in) {
            Object error = builder.object(in.error());
            Throwable thrown = error == null || error instanceof Throwable
                    ? (Throwable) error
                    : new RecordedFailure(error.getClass().getName(), error.toString());
            return StepHarness.completion(in.tag(), builder.object(in.data()), thrown, attributes(in.attributes()));
        }
        SignalIn in = (SignalIn) received;
        return builder.object(in.exit()) instanceof ProcessExit exit
                ? Signal.of(in.kind(), exit, in.ref())
                : Signal.of(in.kind(), in.reason(), in.from());
    }

    Map<String, Object> attributes(@Nullable Object recorded) {
        var attributes = new LinkedHashMap<String, Object>();
        if (builder.object(recorded) instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if (name instanceof String text && value != null) {
                    attributes.put(text, value);
                }
            });
        }
        return attributes;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.treadle.Event;
import dev.treadle.Events;
import dev.treadle.Message;
import dev.treadle.Payloads;
import dev.treadle.Pid;
import dev.treadle.Process;
import dev.treadle.ProcessContext;
import dev.treadle.Scheduler;
import dev.treadle.StepOutput;
import dev.treadle.command.Ask;
import dev.treadle.command.Call;
import dev.treadle.relay.Envelope;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One trace, whatever it passes through: send, ask, command, spawn. */
class OpenTelemetryBindingTest {
    @RegisterExtension
    static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

    private final Scheduler scheduler =
            Scheduler.builder().workers(2).binding(new OpenTelemetryBinding()).start();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private static void span(String name) {
        TELEMETRY
                .getOpenTelemetry()
                .getTracer("test")
                .spanBuilder(name)
                .startSpan()
                .end();
    }

    /** Answers, and says so. */
    private static final class Server implements Process {
        private ProcessContext context;

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
            if (method.equals("child")) {
                span("spawn");
            }
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.idle();
            for (Event event : events) {
                if (event instanceof Message message) {
                    span(message.isRequest() ? "ask" : "send");
                    if (message.isRequest()) {
                        context.reply(message, "yes");
                    }
                }
            }
        }
    }

    /** Does one of each. */
    private static final class Front implements Process {
        private final Pid server;
        private ProcessContext context;

        Front(Pid server) {
            this.server = server;
        }

        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            this.context = context;
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.idle();
            for (Event event : events) {
                if (event instanceof Message) {
                    span("step");
                    context.send(server, "hello", null);
                    context.spawn(new Server(), "child");
                    out.yield(new Ask(server, "question", null), 1, Duration.ofSeconds(10));
                    out.yield(
                            new Call(() -> {
                                span("command");
                                return null;
                            }),
                            2);
                }
            }
        }
    }

    @Test
    @SuppressWarnings("try") // open is all that the scope has to be
    void everyHopIsInTheTraceThatCameIn() {
        Pid server = scheduler.submit(new Server(), "main").pid();
        Pid front = scheduler.submit(new Front(server), "main").pid();
        Span root = TELEMETRY
                .getOpenTelemetry()
                .getTracer("test")
                .spanBuilder("root")
                .startSpan();

        try (Scope scope = root.makeCurrent()) {
            scheduler.send(Envelope.to(front, "go", null).withAttributes(OpenTelemetryBinding.attributes()));
        } finally {
            root.end();
        }

        await().until(() -> TELEMETRY.getSpans().size() == 6);
        List<SpanData> spans = TELEMETRY.getSpans();
        assertThat(spans)
                .extracting(SpanData::getName)
                .containsExactlyInAnyOrder("root", "step", "send", "spawn", "ask", "command");
        assertThat(spans)
                .extracting(SpanData::getTraceId)
                .containsOnly(root.getSpanContext().getTraceId());
        assertThat(spans)
                .filteredOn(span -> !span.getName().equals("root"))
                .extracting(SpanData::getParentSpanId)
                .containsOnly(root.getSpanContext().getSpanId());
    }

    @Test
    void whatCarriesNoneHasNoneAndTheThreadIsLeftAsItWas() {
        var seen = new ConcurrentLinkedQueue<Boolean>();
        Process process = Process.of((events, out) -> {
            out.idle();
            for (Event unused : events) {
                seen.add(Context.current() == Context.root());
            }
        });
        Pid pid = scheduler.submit(process, "main").pid();
        Context context = Context.root().with(ContextKey.named("key"), "value");
        for (int i = 0; i < 10; i++) {
            scheduler.send(
                    Envelope.to(pid, "with", null).withAttributes(Map.of(OpenTelemetryBinding.ATTRIBUTE, context)));
            scheduler.send(pid, "without", null);
        }

        await().until(() -> seen.size() == 20);
        assertThat(List.copyOf(seen))
                .containsSubsequence(false, true, false, true)
                .filteredOn(root -> root)
                .hasSize(10);
        assertThat(Context.current()).isSameAs(Context.root());
    }
}

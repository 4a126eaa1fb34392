// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.command.Call;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Attributes as two libraries see them that people use: SLF4J's MDC and OpenTelemetry's context. */
class AttributeBindingLibrariesTest {
    private static final ContextKey<String> TRACE = ContextKey.named("trace");

    /** What a message, a command off the workers, and its completion find bound, in a process that serves two. */
    private static List<String> seenWith(AttributeBinding binding, Supplier<String> current) {
        var seen = new ConcurrentLinkedQueue<String>();
        try (Scheduler scheduler =
                Scheduler.builder().workers(2).binding(binding).start()) {
            ProcessRef server = scheduler.submit(
                    Process.of((events, out) -> {
                        out.idle();
                        for (Event event : events) {
                            if (event instanceof Message) {
                                seen.add("message " + current.get());
                                out.yield(new Call(() -> seen.add("call " + current.get())), 1);
                            } else if (event instanceof Completion) {
                                seen.add("completion " + current.get());
                            }
                        }
                    }),
                    "main");
            for (String trace : List.of("t1", "t2")) {
                scheduler.submit(Submission.of(new Sender(server.pid()), "main").attribute("trace", trace));
            }
            Soon.until("all seen", () -> seen.size() == 6);
        }
        assertThat(current.get()).as("on this thread").isEqualTo("null");
        return List.copyOf(seen);
    }

    private record Sender(Pid server) implements Process {
        @Override
        public void init(ProcessContext context, String method, Payloads input) {
            context.send(server, "hello", null);
        }

        @Override
        public void step(Events events, StepOutput out) {
            out.done();
        }
    }

    private static void assertBothTraces(List<String> seen) {
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "message t1", "message t2", "call t1", "call t2", "completion t1", "completion t2");
    }

    @Test
    void slf4jFindsThemInItsMdc() {
        AttributeBinding binding = attributes -> {
            Map<String, String> before = MDC.getCopyOfContextMap();
            MDC.put("trace", String.valueOf(attributes.get("trace")));
            return () -> {
                if (before == null) {
                    MDC.clear();
                } else {
                    MDC.setContextMap(before);
                }
            };
        };
        assertBothTraces(seenWith(binding, () -> String.valueOf(MDC.get("trace"))));
    }

    @Test
    @SuppressWarnings("MustBeClosedChecker") // the scheduler closes it
    void openTelemetryFindsThemInItsContext() {
        AttributeBinding binding = attributes -> Context.current()
                .with(TRACE, String.valueOf(attributes.get("trace")))
                .makeCurrent()::close;
        assertBothTraces(
                seenWith(binding, () -> String.valueOf(Context.current().get(TRACE))));
    }
}

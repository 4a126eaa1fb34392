// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.AttributeBinding;
import io.opentelemetry.context.Context;
import java.util.Map;

/**
 * Carries an OpenTelemetry context from process to process: what a message, a request, a command or a spawn carries is the
 * current context of the step, the handler and the init that follow from it, and so on. Spans that they start, or that an
 * instrumented library starts for them, are in one trace with the span where it all began.
 *
 * <pre>{@code
 * Node node = Node.builder().schedulers(scheduler -> scheduler.binding(new OpenTelemetryBinding())).start();
 *
 * // Inside of a span, in an HTTP endpoint say:
 * node.send(Envelope.to(orders, "buy", 3).withAttributes(OpenTelemetryBinding.attributes()));
 * }</pre>
 *
 * <p>The context goes along as it came in. A span that a step starts is the parent of what the step does itself, not of what
 * those do that it sends to; to make it so, send an envelope or a submission with {@link #attributes} anew.
 *
 * <p>OpenTelemetry is an optional dependency: who uses this class has it already.
 */
public final class OpenTelemetryBinding implements AttributeBinding {
    /** The attribute that carries the {@link Context}. */
    public static final String ATTRIBUTE = "opentelemetry.context";

    private static final Scope NOTHING = () -> {};

    /** Makes one; it can serve several schedulers. */
    public OpenTelemetryBinding() {}

    /** Returns the current context as attributes, for an envelope or a submission. */
    public static Map<String, Object> attributes() {
        return Map.of(ATTRIBUTE, Context.current());
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // the scheduler closes it
    public Scope bind(Map<String, Object> attributes) {
        return attributes.get(ATTRIBUTE) instanceof Context context ? context.makeCurrent()::close : NOTHING;
    }
}

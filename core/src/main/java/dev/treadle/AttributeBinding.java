// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;

/**
 * Makes attributes visible to libraries that look for them on the current thread: a logger's MDC, a tracer's context.
 * Called around each {@code init}, {@code step}, {@code close} and handler, off the workers too, and again within a step when
 * it goes to an event that carries others.
 *
 * <pre>{@code
 * builder.binding(attributes -> {
 *     String before = MDC.get("trace");
 *     MDC.put("trace", (String) attributes.get("trace"));
 *     return () -> MDC.put("trace", before);
 * });
 * }</pre>
 *
 * <p>Must be quick. What it throws is reported, and changes nothing.
 */
@FunctionalInterface
public interface AttributeBinding {
    /**
     * Binds attributes to the current thread.
     *
     * @param attributes what the code that runs next carries
     * @return what undoes it; called on the same thread, the latest first
     */
    Scope bind(Map<String, Object> attributes);

    /** Undoes a binding. */
    @FunctionalInterface
    interface Scope {
        /** Leaves the thread as it was before. */
        void close();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The entry points of a process by name: which step to run for which {@code method}.
 *
 * <pre>{@code
 * private StepFunction step;
 *
 * public void init(ProcessContext context, String method, Payloads input) {
 *     step = EntryPoints.of("open", this::open).and("audit", this::audit).find(method);
 * }
 *
 * public void step(Events events, StepOutput out) throws Exception {
 *     step.step(events, out);
 * }
 * }</pre>
 *
 * <p>Immutable.
 */
public final class EntryPoints {
    private final Map<String, StepFunction> steps;

    private EntryPoints(Map<String, StepFunction> steps) {
        this.steps = steps;
    }

    /** Returns entry points with one method. */
    public static EntryPoints of(String method, StepFunction step) {
        return new EntryPoints(Map.of()).and(method, step);
    }

    /**
     * Returns these entry points and one more.
     *
     * @throws IllegalArgumentException if the method is there already
     */
    public EntryPoints and(String method, StepFunction step) {
        Objects.requireNonNull(method, "method is null: an entry point needs a name");
        Objects.requireNonNull(step, () -> "step of entry point \"" + method + "\" is null: give the function to call");
        var more = new LinkedHashMap<>(steps);
        if (more.putIfAbsent(method, step) != null) {
            throw new IllegalArgumentException(
                    "entry point \"" + method + "\" was given twice, a method has one step: rename one of the two");
        }
        return new EntryPoints(more);
    }

    /**
     * Returns the step of a method.
     *
     * @throws UnknownMethodException if there is none of that name; its message lists the known ones
     */
    public StepFunction find(String method) {
        StepFunction step = steps.get(method);
        if (step == null) {
            throw new UnknownMethodException(method, steps.keySet());
        }
        return step;
    }

    @Override
    public String toString() {
        return "EntryPoints" + steps.keySet();
    }
}

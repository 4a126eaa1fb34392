// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Word from the system, which comes before waiting messages and is never refused.
 *
 * <p>A process that gets {@link Kind#CANCEL} is asked to end. It may say {@link StepOutput#done} at once, or first
 * finish what it began: yield, await, and then be done.
 */
public final class Signal extends Event {
    /** What a signal says. */
    public enum Kind {
        /** Please end: somebody cancelled the process, or the scheduler shuts down. */
        CANCEL,
        /** A process that this one watches has ended. */
        EXIT,
        /** A process that this one is linked to has ended abnormally. */
        LINK_DOWN
    }

    private final Kind kind;
    private final String reason;
    private final @Nullable Pid from;

    private Signal(Kind kind, String reason, @Nullable Pid from) {
        this.kind = Objects.requireNonNull(kind, "kind is null");
        this.reason = Objects.requireNonNull(reason, "reason is null: say why, in words that help the reader of a log");
        this.from = from;
    }

    /** Returns a signal, as a unit test of a process needs it. */
    public static Signal of(Kind kind, String reason, @Nullable Pid from) {
        return new Signal(kind, reason, from);
    }

    /** Returns what it says. */
    public Kind kind() {
        return kind;
    }

    /** Returns whether the process is asked to end. */
    public boolean isCancel() {
        return kind == Kind.CANCEL;
    }

    /** Returns why, in words. */
    public String reason() {
        return reason;
    }

    /** Returns the process that it is about, or null. */
    public @Nullable Pid from() {
        return from;
    }

    @Override
    public Map<String, Object> attributes() {
        return Map.of();
    }

    @Override
    public String toString() {
        return "Signal[" + kind + ", " + reason + (from == null ? "" : ", " + from) + "]";
    }
}

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
public sealed class Signal extends Event permits UpgradeOrder {
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
    private final @Nullable ProcessExit exit;
    private final long ref;
    private volatile boolean revoked;
    private boolean given;

    Signal(Kind kind, String reason, @Nullable Pid from, @Nullable ProcessExit exit, long ref) {
        this.kind = Objects.requireNonNull(kind, "kind is null");
        this.reason = Objects.requireNonNull(reason, "reason is null: say why, in words that help the reader of a log");
        this.from = from;
        this.exit = exit;
        this.ref = ref;
    }

    /** Returns a signal, as a unit test of a process needs it. */
    public static Signal of(Kind kind, String reason, @Nullable Pid from) {
        return new Signal(kind, reason, from, null, 0);
    }

    /**
     * Returns a signal that tells how a process ended.
     *
     * @param kind {@link Kind#EXIT} or {@link Kind#LINK_DOWN}
     * @param exit how it ended
     * @param ref tells apart several signals about one process
     */
    public static Signal of(Kind kind, ProcessExit exit, long ref) {
        return new Signal(kind, exit.toString(), exit.pid(), exit, ref);
    }

    /** Returns what it says. */
    public final Kind kind() {
        return kind;
    }

    /** Returns whether the process is asked to end. */
    public final boolean isCancel() {
        return kind == Kind.CANCEL;
    }

    /** Returns why, in words. */
    public final String reason() {
        return reason;
    }

    /** Returns the process that it is about, or null. */
    public final @Nullable Pid from() {
        return from;
    }

    /** Returns how the process ended that it is about, or null if it is about something else. */
    public final @Nullable ProcessExit exit() {
        return exit;
    }

    /** Returns what tells apart several signals about one process: the reference of the monitor, or 0. */
    public final long ref() {
        return ref;
    }

    /** Takes it back, any thread: if no step got it yet, none will. */
    public final void revoke() {
        revoked = true;
    }

    /** Any thread, before it is pushed: a signal is its own link in the queue. False if it was pushed before. */
    final synchronized boolean give() {
        boolean first = !given;
        given = true;
        return first;
    }

    final boolean isRevoked() {
        return revoked;
    }

    @Override
    public final Map<String, Object> attributes() {
        return Map.of();
    }

    @Override
    public final String toString() {
        return "Signal[" + kind + ", " + reason + (from == null ? "" : ", " + from) + "]";
    }
}

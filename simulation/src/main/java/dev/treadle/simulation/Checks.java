// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The conditions that a scenario wants to hold, looked at after each turn. */
final class Checks {
    private final List<Always> always = new ArrayList<>();
    private final List<Eventually> eventually = new ArrayList<>();

    void always(String name, BooleanSupplier condition, boolean wanted) {
        always.add(new Always(name, condition, wanted));
    }

    void eventually(String name, Duration within, long deadlineNanos, BooleanSupplier condition) {
        eventually.add(new Eventually(name, within, deadlineNanos, condition));
    }

    /** After a turn: what does not hold, or null. */
    @Nullable
    Failure look(String when) {
        for (Always check : always) {
            if (check.condition.getAsBoolean() != check.wanted) {
                String what = check.wanted
                        ? "always \"" + check.name + "\" does not hold"
                        : "never \"" + check.name + "\" holds";
                return new Failure(Failure.Kind.CHECK, check.name, what + " " + when, List.of(), null);
            }
        }
        if (!eventually.isEmpty()) {
            eventually.removeIf(check -> check.condition.getAsBoolean());
        }
        return null;
    }

    /** When the next condition must hold, or Long.MAX_VALUE. */
    long nextDeadlineNanos() {
        long next = Long.MAX_VALUE;
        for (Eventually check : eventually) {
            next = Math.min(next, check.deadlineNanos);
        }
        return next;
    }

    /** When time has moved, or nothing can happen any more: which condition has not come to hold in time, or null. */
    @Nullable
    Failure late(long nowNanos, boolean isOver) {
        for (Eventually check : eventually) {
            if ((isOver || check.deadlineNanos <= nowNanos) && !check.condition.getAsBoolean()) {
                String when = isOver && check.deadlineNanos > nowNanos
                        ? "and nothing can happen any more"
                        : "within " + check.within;
                return new Failure(
                        Failure.Kind.CHECK,
                        check.name,
                        "eventually \"" + check.name + "\" did not come to hold " + when,
                        List.of(),
                        null);
            }
        }
        return null;
    }

    private record Always(String name, BooleanSupplier condition, boolean wanted) {}

    private record Eventually(String name, Duration within, long deadlineNanos, BooleanSupplier condition) {}
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.simulation.replay.Entry.Answer;
import dev.treadle.simulation.replay.Entry.Begin;
import dev.treadle.simulation.replay.Entry.CloseBegin;
import dev.treadle.simulation.replay.Entry.Deed;
import dev.treadle.simulation.replay.Entry.Received;
import dev.treadle.simulation.replay.Entry.Returned;
import dev.treadle.simulation.replay.Entry.StepBegin;
import dev.treadle.simulation.replay.Entry.StepEnd;
import dev.treadle.simulation.replay.Entry.Threw;
import dev.treadle.simulation.replay.Entry.TooLarge;
import dev.treadle.simulation.replay.Entry.Yield;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A recorded life as a replay needs it: what goes in and what must come out, phase by phase, as far as nothing is missing. */
final class Script {
    /** A deed, and how many events of its step the process had gone to. */
    record Noted(Deed deed, int position) {}

    /** One call of init, step or close. */
    static final class Phase {
        /** What it begins with: {@link Begin}, {@link StepBegin} or {@link CloseBegin}. */
        final Entry begin;

        final List<Received> events = new ArrayList<>();
        final Deque<Noted> deeds = new ArrayDeque<>();
        final Map<Question, Deque<Answer>> answers = new EnumMap<>(Question.class);
        final List<Yield> yields = new ArrayList<>();

        /** How it ended; null if it was cut off. */
        @Nullable
        Entry end;

        Phase(Entry begin) {
            this.begin = begin;
        }

        boolean hasAllEvents() {
            return !(begin instanceof StepBegin step) || step.events() == events.size();
        }

        /** Returns whether the entry belongs here. */
        private boolean take(Body.Of of) {
            Entry entry = of.entry();
            if (end != null) {
                return false;
            } else if (entry instanceof Received received) {
                events.add(received);
            } else if (entry instanceof Deed deed) {
                deeds.add(new Noted(deed, of.position()));
            } else if (entry instanceof Answer answer) {
                answers.computeIfAbsent(answer.question(), question -> new ArrayDeque<>())
                        .add(answer);
            } else if (entry instanceof Yield yield) {
                yields.add(yield);
            } else if (entry instanceof StepEnd || entry instanceof Returned || entry instanceof Threw) {
                end = entry;
            } else {
                return false;
            }
            return true;
        }
    }

    final List<Phase> phases = new ArrayList<>();

    /** Why the script ends before the recording does; null if it does not. */
    final @Nullable String cut;

    Script(List<Body.Of> entries) {
        long expected = 0;
        String cut = null;
        for (Body.Of of : entries) {
            if (of.number() != expected) {
                cut = of.number() - expected + " entries are missing, they were dropped or damaged";
            } else if (of.entry() instanceof TooLarge large) {
                cut = "an entry (" + large.what() + ") was too large to record: raise fileBytes";
            } else if (!take(of)) {
                cut = "the entries are not in an order that this version knows";
            }
            if (cut != null) {
                break;
            }
            expected++;
        }
        this.cut = cut;
        Phase last = phases.isEmpty() ? null : phases.get(phases.size() - 1);
        if (last != null && last.end == null && (cut != null || !last.hasAllEvents())) {
            phases.remove(phases.size() - 1); // it needs what is missing
        }
    }

    private boolean take(Body.Of of) {
        Entry entry = of.entry();
        if (entry instanceof Begin || entry instanceof StepBegin || entry instanceof CloseBegin) {
            return phases.add(new Phase(entry));
        }
        return !phases.isEmpty() && phases.get(phases.size() - 1).take(of);
    }
}

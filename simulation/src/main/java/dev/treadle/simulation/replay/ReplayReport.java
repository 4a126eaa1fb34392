// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a {@link Replay} found. */
public final class ReplayReport {
    private static final int FRAMES_SHOWN = 8;

    /** How a replay went. */
    public enum Outcome {
        /** The code did all that was recorded, and nothing else. */
        SAME,
        /** The code did something else. */
        DIFFERENT,
        /** The code needs what the recording does not have; up to there it was the same. */
        STUCK
    }

    private final String what;
    private final long events;
    private final long steps;
    private final @Nullable Divergence divergence;
    private final @Nullable String stuck;
    private final List<String> notes;

    ReplayReport(
            String what,
            long events,
            long steps,
            @Nullable Divergence divergence,
            @Nullable String stuck,
            List<String> notes) {
        this.what = what;
        this.events = events;
        this.steps = steps;
        this.divergence = divergence;
        this.stuck = stuck;
        this.notes = List.copyOf(notes);
    }

    /** Returns how it went. */
    public Outcome outcome() {
        return divergence != null ? Outcome.DIFFERENT : stuck != null ? Outcome.STUCK : Outcome.SAME;
    }

    /** Returns whether the code did what was recorded, as far as the recording goes; {@link #notes} tell if that is not to the end. */
    public boolean isSame() {
        return outcome() == Outcome.SAME;
    }

    /** Returns how many events were replayed. */
    public long events() {
        return events;
    }

    /** Returns how many steps were replayed. */
    public long steps() {
        return steps;
    }

    /** Returns where the code now does something else. */
    public Optional<Divergence> divergence() {
        return Optional.ofNullable(divergence);
    }

    /** Returns what to know besides: payloads that were recorded as text, a recording with gaps, a clock that is read more often. */
    public List<String> notes() {
        return notes;
    }

    /**
     * Throws if the code does not do what was recorded: for a test.
     *
     * @throws AssertionError with the {@link #text}
     */
    public void assertSame() {
        if (!isSame()) {
            Throwable thrown = divergence == null ? null : divergence.thrown();
            throw new AssertionError(text(), thrown);
        }
    }

    /** Returns all of it, for people. */
    public String text() {
        var text = new StringBuilder("Replay of ").append(what).append('\n');
        Divergence divergence = this.divergence;
        if (divergence != null) {
            append(text, divergence);
        } else if (stuck != null) {
            text.append("STUCK after ")
                    .append(done())
                    .append(": ")
                    .append(stuck)
                    .append('\n');
        } else {
            text.append("SAME: ").append(done()).append('\n');
        }
        notes.forEach(note -> text.append("Note: ").append(note).append('\n'));
        return text.toString();
    }

    private String done() {
        return events + " events in " + steps + " steps";
    }

    private static void append(StringBuilder text, Divergence divergence) {
        text.append("DIFFERENT at ").append(divergence.at()).append('\n');
        text.append("  recorded: ").append(divergence.expected()).append('\n');
        text.append("  now:      ").append(divergence.actual()).append('\n');
        Throwable thrown = divergence.thrown();
        if (thrown != null) {
            StackTraceElement[] frames = thrown.getStackTrace();
            for (int i = 0; i < Math.min(frames.length, FRAMES_SHOWN); i++) {
                text.append("              at ").append(frames[i]).append('\n');
            }
        }
        if (!divergence.before().isEmpty()) {
            text.append("The events before it:\n");
            divergence.before().forEach(event -> text.append("  ").append(event).append('\n'));
        }
    }

    @Override
    public String toString() {
        return text();
    }
}

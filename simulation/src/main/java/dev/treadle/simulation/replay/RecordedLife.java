// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Pid;
import dev.treadle.simulation.replay.Entry.Begin;
import dev.treadle.simulation.replay.Entry.StepBegin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was recorded of one process, from its {@code init} to its {@code close}; one that was upgraded begins a new life. Give it to a
 * {@link Replay}, or look at its {@link #text}.
 */
public final class RecordedLife {
    private final List<byte[]> bodies = new ArrayList<>();
    private @Nullable List<Body.Of> entries;

    RecordedLife() {}

    void add(byte[] body) {
        bodies.add(body);
        entries = null;
    }

    /** All that can be read. Some may be missing: their numbers tell. */
    synchronized List<Body.Of> entries() {
        List<Body.Of> read = entries;
        if (read == null) {
            read = new ArrayList<>(bodies.size());
            for (byte[] body : bodies) {
                try {
                    read.add((Body.Of) Body.read(body));
                } catch (FormatException e) {
                    // Of a newer version, most likely. It is missing then.
                }
            }
            entries = read;
        }
        return read;
    }

    @Nullable
    Begin begin() {
        List<Body.Of> entries = entries();
        return !entries.isEmpty() && entries.get(0).entry() instanceof Begin begin ? begin : null;
    }

    /** Returns its address, or nothing if so little is left of it that it is not known. */
    public Optional<Pid> pid() {
        for (Body.Of of : entries()) {
            if (of.entry() instanceof Begin begin) {
                return Optional.of(begin.pid());
            } else if (of.entry() instanceof StepBegin begin) {
                return Optional.of(begin.pid());
            }
        }
        return Optional.empty();
    }

    /** Returns the class of the process, or nothing if the beginning is lost. */
    public Optional<String> type() {
        return Optional.ofNullable(begin()).map(Begin::type);
    }

    /** Returns whether it can be replayed: its beginning is there. */
    public boolean isReplayable() {
        return begin() != null;
    }

    /** Returns how many events are recorded: messages, completions and signals. */
    public long events() {
        return entries().stream()
                .filter(of -> of.entry() instanceof Entry.Received)
                .count();
    }

    /** Returns how many entries are missing between those that are there: dropped, damaged, or deleted with an old file. */
    public long missing() {
        long missing = 0;
        long expected = 0;
        for (Body.Of of : entries()) {
            missing += of.number() - expected;
            expected = of.number() + 1;
        }
        return missing;
    }

    /** Returns all of it, a line for each entry, for people. */
    public String text() {
        var text = new StringBuilder();
        long expected = 0;
        long event = 0;
        for (Body.Of of : entries()) {
            if (of.number() != expected) {
                text.append("       (").append(of.number() - expected).append(" entries are missing here)\n");
            }
            expected = of.number() + 1;
            Entry entry = of.entry();
            if (entry instanceof StepBegin begin) {
                event = begin.firstEvent() - 1;
                text.append(EntryText.of(entry)).append('\n');
            } else if (entry instanceof Entry.Received) {
                text.append("  #")
                        .append(++event)
                        .append("  ")
                        .append(EntryText.of(entry))
                        .append('\n');
            } else {
                text.append(entry instanceof Begin || entry instanceof Entry.CloseBegin ? "" : "       ")
                        .append(EntryText.of(entry))
                        .append('\n');
            }
        }
        return text.toString();
    }

    @Override
    public String toString() {
        Begin begin = begin();
        String who = pid().map(Pid::toString).orElse("(unknown)");
        long missing = missing();
        return who + " "
                + (begin == null
                        ? "(its beginning is lost, it cannot be replayed)"
                        : begin.type() + ", " + begin.method() + ", begun " + begin.at())
                + ", " + events() + " events" + (missing == 0 ? "" : ", " + missing + " entries missing");
    }
}

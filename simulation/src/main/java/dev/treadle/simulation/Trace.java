// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What happened in a simulation, in order. The same seed gives the same text, byte for byte.
 *
 * @param events what happened; of a run that was too long, the last of it
 * @param dropped how many events came before those
 */
public record Trace(List<TraceEvent> events, long dropped) {
    /** Copies the list. */
    public Trace {
        events = List.copyOf(events);
    }

    /** Returns how many events there were, those that were dropped included. */
    public long length() {
        return dropped + events.size();
    }

    /** Returns one line of text for each event. */
    public String text() {
        return events.stream().map(event -> event.text() + "\n").collect(Collectors.joining());
    }

    /**
     * Writes a page that shows the run: a lane for each process, messages as arrows, faults marked, step by step. It needs
     * nothing but a browser.
     *
     * @param file where to; replaced if it is there
     * @throws IOException if it cannot be written
     */
    public void writePage(Path file) throws IOException {
        Files.writeString(file, TracePage.of(this));
    }
}

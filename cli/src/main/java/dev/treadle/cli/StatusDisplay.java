// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/**
 * Shows a few lines of live figures: written over each other on a terminal, one after the other elsewhere. One thread.
 *
 * <p>The launcher says whether there is a terminal and how wide it is, in the system properties {@code treadle.terminal}
 * and {@code treadle.columns}; without it there is none, and a log gets plain lines.
 */
public final class StatusDisplay {
    private static final String LINE_START = "\r";
    private static final String CLEAR_TO_END_OF_LINE = "\u001b[K";
    private static final int COLUMNS_DEFAULT = 80;

    private final PrintWriter out;
    private final boolean terminal;
    private final int columns;
    private int linesShown;

    StatusDisplay(PrintWriter out, boolean terminal, int columns) {
        this.out = out;
        this.terminal = terminal;
        this.columns = columns;
    }

    /** Returns a display on what the launcher says is there. */
    public static StatusDisplay on(PrintWriter out) {
        int columns = Integer.getInteger("treadle.columns", COLUMNS_DEFAULT);
        return new StatusDisplay(out, isTerminal(), columns < 1 ? COLUMNS_DEFAULT : columns);
    }

    /** Returns whether the launcher says that there is a terminal. */
    public static boolean isTerminal() {
        return Boolean.getBoolean("treadle.terminal");
    }

    /** Returns how long to wait from one status to the next. */
    public Duration interval() {
        return Duration.ofMillis(terminal ? 500 : 1000);
    }

    /** Shows these lines in the place of those before. */
    public void show(List<String> lines) {
        if (terminal) {
            out.print(LINE_START);
            if (linesShown > 1) {
                out.print("\u001b[" + (linesShown - 1) + "A"); // up to the first of them
            }
            for (int i = 0; i < lines.size(); i++) {
                out.print((i == 0 ? "" : "\n") + cut(lines.get(i)) + CLEAR_TO_END_OF_LINE);
            }
        } else {
            out.println(String.join(" | ", lines));
        }
        linesShown = lines.size();
        out.flush();
    }

    /** A line that wraps would not be written over. The last column stays free: some terminals wrap after it. */
    private String cut(String line) {
        return line.length() < columns ? line : line.substring(0, columns - 1);
    }

    /** Leaves what is shown as it is, and what is printed next goes below it. */
    public void end() {
        if (terminal && linesShown > 0) {
            out.println();
        }
        linesShown = 0;
        out.flush();
    }

    /** Returns whether nobody reads any more, as with {@code treadle demo | head}. */
    public boolean isClosed() {
        return out.checkError();
    }
}

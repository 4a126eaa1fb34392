// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Takes what the schedulers log, in place of the console; throwables are printed as a console would. */
final class CapturedLog extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("dev.treadle");
    private final boolean usedParents = logger.getUseParentHandlers();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    CapturedLog() {
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
        var text = new StringWriter().append(entry.getMessage());
        if (entry.getThrown() != null) {
            text.append('\n');
            entry.getThrown().printStackTrace(new PrintWriter(text));
        }
        lines.add(text.toString());
    }

    /** All that was logged so far. */
    String text() {
        return String.join("\n", lines);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(usedParents);
    }
}

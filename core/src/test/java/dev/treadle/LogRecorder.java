// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Keeps what the scheduler logs from the console, and for the test. Formats each record, as a real handler would. */
final class LogRecorder extends Handler implements AutoCloseable {
    /** Kept in a field: the logging system itself holds loggers weakly. */
    private final Logger logger = Logger.getLogger("dev.treadle");

    private final boolean usedParents = logger.getUseParentHandlers();
    private final SimpleFormatter formatter = new SimpleFormatter();
    final List<String> texts = new CopyOnWriteArrayList<>();

    LogRecorder() {
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    /** Throws what formatting throws, as a careless handler does. */
    @Override
    public void publish(LogRecord record) {
        texts.add(formatter.format(record));
    }

    /** All that was logged so far. */
    String text() {
        return String.join("\n", texts);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(usedParents);
    }
}

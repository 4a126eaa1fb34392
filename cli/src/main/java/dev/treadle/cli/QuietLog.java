// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What a command does not want between its own lines: remarks of the libraries below the level of a warning. */
public final class QuietLog {
    /** Held, or the level would be collected together with the logger. */
    private static final Logger TREADLE = Logger.getLogger("dev.treadle");

    private QuietLog() {}

    /** Lets only warnings and errors of the runtime through, unless somebody has set a level. */
    public static void warningsOnly() {
        if (TREADLE.getLevel() == null) {
            TREADLE.setLevel(Level.WARNING);
        }
    }
}

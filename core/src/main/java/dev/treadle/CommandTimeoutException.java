// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;

/** The error of a completion whose command was not answered in time. */
public final class CommandTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandTimeoutException(String command, long tag, Duration timeout) {
        super("command " + command + " with tag " + tag + " was not answered within " + timeout
                + ": allow it more time, or find out why its handler is slow");
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** The error of a completion whose blocking handler has as many calls running and waiting as it may. */
public final class CommandOverloadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandOverloadException(Class<?> command, int runningMax, int waitingMax) {
        super("command " + command.getTypeName() + " was refused: " + runningMax + " calls run and " + waitingMax
                + " wait, the most that its registration allows: raise the limit, or yield fewer at once");
    }
}

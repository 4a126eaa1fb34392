// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** The error of a completion whose command has no handler. */
public final class UnknownCommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownCommandException(Class<?> command) {
        super("no handler is registered for command " + command.getTypeName()
                + ": register one in the CommandRegistry before the scheduler starts");
    }
}

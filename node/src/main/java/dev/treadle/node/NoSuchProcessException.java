// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;

/** The exit reason that is told of a process that had ended before it was watched or linked, or never was. */
public final class NoSuchProcessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoSuchProcessException(Pid pid) {
        this("there is no process " + pid);
    }

    NoSuchProcessException(String message) {
        super(message, null, false, false);
    }
}

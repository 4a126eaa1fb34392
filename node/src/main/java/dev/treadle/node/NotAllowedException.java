// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

/** Thrown, or the error of a command, when a host or the rights of a process do not allow something. */
public final class NotAllowedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotAllowedException(String message) {
        super(message);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** Thrown by {@code submit} and {@code spawn} when {@code init} threw a checked exception, which is the cause. */
public final class InitFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InitFailedException(String process, String method, Throwable cause) {
        super(
                "init of " + process + " for method \"" + method
                        + "\" failed, the process was not started: see the cause",
                cause);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

/** The error of a completion whose handler has as many calls running and waiting as it may. */
public final class OverloadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OverloadException(String message) {
        super(message);
    }
}

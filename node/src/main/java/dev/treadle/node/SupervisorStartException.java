// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import org.jspecify.annotations.Nullable;

/** The exit reason of a supervisor one of whose children did not start the first time. Its cause says why. */
public final class SupervisorStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SupervisorStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

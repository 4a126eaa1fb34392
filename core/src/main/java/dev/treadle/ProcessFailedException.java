// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/** What a process's {@link ProcessRef#result} fails with if the process did not end with {@link StepOutput#done}. */
public final class ProcessFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable ProcessExit exit;

    ProcessFailedException(ProcessExit exit) {
        super(exit.toString(), exit.reason());
        this.exit = exit;
    }

    /** Returns how the process ended; null only after this exception was serialized. */
    public @Nullable ProcessExit exit() {
        return exit;
    }
}

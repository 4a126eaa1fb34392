// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/** Decides whether a process may run a command. Called on workers before the command's handler: must be quick. */
@FunctionalInterface
public interface CommandGate {
    /**
     * Returns why a command is refused, or null to let it pass.
     *
     * @param command what the process wants done
     * @param receiver who wants it: its pid and what it carries
     * @return the error that the yield fails with, or null
     */
    @Nullable
    Exception refusal(Command command, ResultReceiver receiver);
}

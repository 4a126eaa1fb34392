// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Command;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of a command in a simulation, in place of a handler that would leave it. Must be a function of the command
 * and the world: no threads, no clocks, no random numbers but those of the {@link World}.
 *
 * @param <C> the command
 */
@FunctionalInterface
public interface StandIn<C extends Command> {
    /**
     * Answers a command.
     *
     * @return an {@link Answer}, or the result itself, which is then answered at a moment that the seed decides
     * @throws Exception fails the yield
     */
    @Nullable
    Object answer(C command, World world) throws Exception;
}

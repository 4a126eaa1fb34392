// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Command;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who does the work of commands in a simulation, by the class of the command. */
final class StandIns {
    private final Map<Class<? extends Command>, StandIn<Command>> byCommand = new LinkedHashMap<>();

    <C extends Command> void put(Class<C> command, StandIn<? super C> standIn) {
        byCommand.put(command, (given, world) -> standIn.answer(command.cast(given), world));
    }

    @Nullable
    StandIn<Command> find(Class<?> command) {
        return byCommand.get(command);
    }

    Set<Class<? extends Command>> commands() {
        return Set.copyOf(byCommand.keySet());
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Command;
import dev.treadle.CommandRegistry;
import dev.treadle.SchedulerBuilder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link Host}. */
public final class HostBuilder {
    private final List<Consumer<SchedulerBuilder>> settings = new ArrayList<>();
    private @Nullable Set<Class<? extends Command>> allowedCommands;
    private @Nullable Set<String> allowedSenders;

    HostBuilder() {}

    /** Sets the number of workers. */
    public HostBuilder workers(int workers) {
        return scheduler(builder -> builder.workers(workers));
    }

    /** Sets how many processes may be alive at a time; 0 for as many as memory holds. */
    public HostBuilder maxProcesses(int processes) {
        return scheduler(builder -> builder.maxProcesses(processes));
    }

    /** Sets how many messages may wait for one process; 0 for as many as memory holds. */
    public HostBuilder mailboxCapacity(int messages) {
        return scheduler(builder -> builder.mailboxCapacity(messages));
    }

    /** Sets who does the work of commands. */
    public HostBuilder handlers(CommandRegistry registry) {
        return scheduler(builder -> builder.handlers(registry));
    }

    /**
     * Sets anything else that a scheduler can be set to. Called each time the host starts. Its name, relay, gate and first
     * id are the node's to set.
     */
    public HostBuilder scheduler(Consumer<SchedulerBuilder> setting) {
        settings.add(Objects.requireNonNull(setting, "setting is null: give what to set"));
        return this;
    }

    /** Lets the processes of this host run these commands and no others. By default all that have a handler. */
    @SafeVarargs
    public final HostBuilder allowCommands(Class<? extends Command>... commands) {
        allowedCommands = new LinkedHashSet<>();
        for (Class<? extends Command> command : commands) {
            allowedCommands.add(command);
        }
        return this;
    }

    /** Lets these hosts send to this one and no others. By default all. A host may always send to itself. */
    public HostBuilder allowSenders(String... hosts) {
        allowedSenders = new LinkedHashSet<>(List.of(hosts));
        return this;
    }

    List<Consumer<SchedulerBuilder>> settings() {
        return List.copyOf(settings);
    }

    boolean allowsCommand(Class<?> command) {
        return allowedCommands == null || allowedCommands.contains(command);
    }

    boolean allowsSender(String host) {
        return allowedSenders == null || allowedSenders.contains(host);
    }
}

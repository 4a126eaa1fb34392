// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.CallLimit;
import dev.treadle.CommandRegistry;
import java.time.Duration;
import java.util.Objects;

/**
 * Registers the handler of {@link RunProgram}.
 *
 * <pre>{@code
 * ProgramHandlers.withDefaults().runningMax(2).outputMax(64 << 10).register(registry);
 * }</pre>
 *
 * <table>
 * <caption>Settings</caption>
 * <tr><th>setting</th><th>default</th></tr>
 * <tr><td>{@link #runningMax}</td><td>8 programs</td></tr>
 * <tr><td>{@link #waitingMax}</td><td>1,024 programs</td></tr>
 * <tr><td>{@link #outputMax}</td><td>1 MiB of output, and as much of errors</td></tr>
 * <tr><td>{@link #timeout}</td><td>60 s</td></tr>
 * </table>
 */
public final class ProgramHandlers {
    private int runningMax = 8;
    private int waitingMax = 1_024;
    private int outputMax = 1 << 20;
    private Duration timeout = Duration.ofSeconds(60);

    private ProgramHandlers() {}

    /** Starts with the settings of the table above. */
    public static ProgramHandlers withDefaults() {
        return new ProgramHandlers();
    }

    /** Sets how many programs run at once. */
    public ProgramHandlers runningMax(int programs) {
        runningMax = programs;
        return this;
    }

    /** Sets how many programs wait for others to end, at the most; 0 for none. */
    public ProgramHandlers waitingMax(int programs) {
        waitingMax = programs;
        return this;
    }

    /** Sets how many bytes a program may write to its standard output, and likewise to its standard error. */
    public ProgramHandlers outputMax(int bytes) {
        outputMax = bytes;
        return this;
    }

    /** Sets how long a program may run whose command does not say it. */
    public ProgramHandlers timeout(Duration timeout) {
        this.timeout = Objects.requireNonNull(timeout, "timeout is null: leave it unset to use 60 s");
        return this;
    }

    /**
     * Registers the handler. Settings that are changed afterwards do not matter to it.
     *
     * @throws IllegalArgumentException if a setting is invalid; the message names all that are
     */
    public CommandRegistry register(CommandRegistry registry) {
        new Limits("ProgramHandlers")
                .atLeast("runningMax", runningMax, 1, "how many programs run at once")
                .atLeast("waitingMax", waitingMax, 0, "how many programs wait")
                .atLeast("outputMax", outputMax, 0, "how many bytes a program may write")
                .positive("timeout", timeout, "how long a program may run")
                .check();
        return registry.registerBlocking(
                RunProgram.class, CallLimit.of(runningMax, waitingMax), new ProgramCalls(outputMax, timeout));
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program and completes with its {@link ProgramResult}, whatever its exit code. No shell is between: each argument
 * reaches the program as it is.
 *
 * <pre>{@code
 * if (events.isFirst()) {
 *     out.yield(RunProgram.of("sort", "-r").withInput(Bytes.of("one\ntwo\n")).withTimeout(Duration.ofSeconds(5)), 1);
 * }
 * for (Event event : events) {
 *     if (event instanceof Completion c) {
 *         out.done(c.data(ProgramResult.class).output().text());
 *     }
 * }
 * }</pre>
 *
 * <p><b>Overload:</b> beyond {@link ProgramHandlers#runningMax} programs others wait; beyond {@link
 * ProgramHandlers#waitingMax} it fails with a {@link dev.treadle.CommandOverloadException}. <b>Timeout:</b> its own one, or
 * {@link ProgramHandlers#timeout}, counts from the start of the program; then it is killed and fails with a {@link
 * ProgramFailedException}. <b>Cancel:</b> a program that waits is not started, one that runs is killed. Killed means at
 * once, without a chance to clean up, and with all its descendants that the operating system shows at that moment. A
 * program that has put itself in the background, out of its parent's sight, is not found; nor is what a program leaves
 * running when it ends by itself.
 *
 * @param command the program and its arguments
 * @param environment variables to set, besides those of this JVM
 * @param folder where it runs, or null for where this JVM does
 * @param input what it reads from its standard input
 * @param timeout how long it may run, or null for what the registration says
 */
public record RunProgram(
        List<String> command,
        Map<String, String> environment,
        @Nullable Path folder,
        Bytes input,
        @Nullable Duration timeout)
        implements Command {

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if there is no program, or the timeout is not positive
     */
    public RunProgram {
        command = List.copyOf(command);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        Objects.requireNonNull(input, "input is null: use Bytes.EMPTY for none");
        if (command.isEmpty() || command.get(0).isEmpty()) {
            throw new IllegalArgumentException(
                    "command was " + command + ", must begin with the name of a program: give one such as \"ls\"");
        }
        for (String part : command) {
            if (part.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("an argument of " + command.get(0)
                        + " has a character 0 in it, no program can get that: take it out, or pass it as input");
            }
        }
        if (timeout != null && (timeout.isZero() || timeout.isNegative())) {
            throw new IllegalArgumentException("timeout of " + command.get(0) + " was " + timeout
                    + ", must be positive: leave it out to use that of the registration");
        }
    }

    /** Returns a program with its arguments. */
    public static RunProgram of(String program, String... arguments) {
        var command = new ArrayList<String>();
        command.add(program);
        command.addAll(List.of(arguments));
        return new RunProgram(command, Map.of(), null, Bytes.EMPTY, null);
    }

    /** Returns the same program with one more variable in its environment. */
    public RunProgram withEnvironment(String name, String value) {
        var more = new LinkedHashMap<>(environment);
        more.put(name, value);
        return new RunProgram(command, more, folder, input, timeout);
    }

    /** Returns the same program, run in this folder. */
    public RunProgram withFolder(Path folder) {
        return new RunProgram(command, environment, folder, input, timeout);
    }

    /** Returns the same program with this input. */
    public RunProgram withInput(Bytes input) {
        return new RunProgram(command, environment, folder, input, timeout);
    }

    /** Returns the same program that may run so long. */
    public RunProgram withTimeout(Duration timeout) {
        return new RunProgram(command, environment, folder, input, timeout);
    }

    /** Leaves out the arguments, the environment and the input, which may be secret. */
    @Override
    public String toString() {
        return "RunProgram[" + command.get(0) + ", " + (command.size() - 1) + " arguments]";
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.command;

import dev.treadle.Command;
import dev.treadle.Payloads;
import dev.treadle.Process;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs another process, as a child of this one, and completes with its result.
 *
 * <pre>{@code
 * out.yield(Exec.of(new Checkout(), "main", cart), 1, Duration.ofMinutes(1));
 * }</pre>
 *
 * <p>If it does not start, the completion has as its error what {@link dev.treadle.ProcessContext#spawn} would throw; if it
 * ends without {@link dev.treadle.StepOutput#done}, a {@link dev.treadle.ProcessFailedException}. If this process ends or is
 * cancelled, or the yield times out, the child is cancelled, and ended by force if it is still there after {@link #GRACE}.
 *
 * @param process the process to run
 * @param method its entry point
 * @param input its arguments
 */
public record Exec(Process process, String method, Payloads input) implements Command {
    /** How long a child may take to end after it was cancelled. */
    public static final Duration GRACE = Duration.ofSeconds(10);

    /** Checks that all are there. */
    public Exec {
        Objects.requireNonNull(process, "process is null: give the process to run");
        Objects.requireNonNull(method, "method is null: name the entry point, such as \"main\"");
        Objects.requireNonNull(input, "input is null: use Payloads.empty()");
    }

    /** Returns a command that runs a process with these arguments. */
    public static Exec of(Process process, String method, @Nullable Object... input) {
        return new Exec(process, method, Payloads.of(input));
    }
}

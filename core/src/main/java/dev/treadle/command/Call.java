// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.command;

import dev.treadle.Command;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Runs a function that may block, off the workers, and completes with what it returns or throws.
 *
 * <pre>{@code
 * out.yield(new Call(() -> Files.readString(path)), 1);
 * }</pre>
 *
 * <p>On virtual threads where the JVM has them; as many at once as {@link
 * dev.treadle.CommandRegistry#BLOCKING_LIMIT_DEFAULT}, the others wait, and beyond {@link
 * dev.treadle.CommandRegistry#BLOCKING_WAITING_MAX} the yield fails with a {@link dev.treadle.CommandOverloadException}. If
 * the process ends or is cancelled, the thread is interrupted. Work of one kind is better bounded by a command of its own,
 * with {@link dev.treadle.CommandRegistry#registerBlocking(Class, int, dev.treadle.CommandRegistry.BlockingFunction)}.
 *
 * @param function what to run
 */
public record Call(Callable<?> function) implements Command {
    /** Checks that the function is there. */
    public Call {
        Objects.requireNonNull(function, "function is null: give what to run");
    }
}

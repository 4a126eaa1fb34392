// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/**
 * Does the work that a command asks for, and answers.
 *
 * <p>Registered in a {@link CommandRegistry} by the command's class. A handler that was registered with {@link
 * CommandRegistry#register} is called on a worker and must be quick: it either answers on the spot or starts something
 * that answers later, from any thread. For work that blocks there is {@link CommandRegistry#registerBlocking}.
 *
 * @param <C> the command
 */
@FunctionalInterface
public interface Handler<C extends Command> {
    /**
     * Starts the work. A worker calls it, for many processes at once.
     *
     * @param command what to do
     * @param receiver takes the answer, once
     * @throws Exception fails the yield with what was thrown, and nothing else
     */
    void handle(C command, ResultReceiver receiver) throws Exception;
}

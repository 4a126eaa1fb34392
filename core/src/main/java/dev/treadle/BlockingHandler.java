// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** Runs a function that may block off the workers, within a limit. */
final class BlockingHandler<C extends Command> implements Handler<C> {
    private final Class<C> command;
    private final CallLimit limit;
    private final CommandRegistry.StoppableFunction<? super C> function;
    private final BlockingThreads threads;
    private final Bindings bindings;

    BlockingHandler(
            Class<C> command,
            CallLimit limit,
            CommandRegistry.StoppableFunction<? super C> function,
            BlockingThreads threads,
            Bindings bindings) {
        this.command = command;
        this.limit = limit;
        this.function = function;
        this.threads = threads;
        this.bindings = bindings;
    }

    @Override
    public void handle(C command, ResultReceiver receiver) {
        new ThreadedCall(this.command, limit, receiver, call -> function.call(command, call), threads, bindings)
                .enter();
    }
}

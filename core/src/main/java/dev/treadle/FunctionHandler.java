// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/**
 * Answers a command with what a function returns. A worker calls the function itself, where it can: nobody else can answer
 * then, so the answer needs no compare-and-set ({@link CommandDispatch}).
 */
final class FunctionHandler<C extends Command> implements Handler<C> {
    final CommandRegistry.QuickFunction<? super C> function;

    FunctionHandler(CommandRegistry.QuickFunction<? super C> function) {
        this.function = function;
    }

    @Override
    public void handle(C command, ResultReceiver receiver) throws Exception {
        receiver.complete(function.call(command));
    }
}

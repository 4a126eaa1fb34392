// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The handlers of one scheduler by the class of their command: fixed at the start, looked up without a lock. */
final class HandlerTable {
    private final Map<Class<?>, Handler<Command>> handlers;
    private final @Nullable CommandGate gate;

    HandlerTable(Map<Class<?>, Handler<Command>> handlers, @Nullable CommandGate gate) {
        this.handlers = Map.copyOf(handlers);
        this.gate = gate;
    }

    /** A worker: runs the handler of a command that {@link #find} gave, or fails the yield if there is none. */
    void handle(Command command, @Nullable Handler<Command> handler, YieldInFlight yield) throws Exception {
        Exception refusal = gate == null ? null : gate.refusal(command, yield);
        if (refusal != null) {
            yield.fail(refusal);
        } else if (handler == null) {
            yield.fail(new UnknownCommandException(command.getClass()));
        } else {
            handler.handle(command, yield);
        }
    }

    /** Any thread: the function behind a handler that {@link #find} gave, if a worker may call that itself; or null. */
    @Nullable
    FunctionHandler<Command> function(@Nullable Handler<Command> handler) {
        return gate == null && handler instanceof FunctionHandler<Command> function ? function : null;
    }

    /** Any thread. */
    @Nullable
    Handler<Command> find(Class<?> command) {
        return handlers.get(command);
    }
}

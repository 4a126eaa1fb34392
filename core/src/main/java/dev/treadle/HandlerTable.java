// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The handlers of one scheduler by the class of their command: fixed at the start, looked up without a lock. */
final class HandlerTable {
    private final Map<Class<?>, Handler<Command>> handlers;

    HandlerTable(Map<Class<?>, Handler<Command>> handlers) {
        this.handlers = Map.copyOf(handlers);
    }

    /** A worker: runs the handler of a command, or fails the yield if there is none. */
    void handle(Command command, YieldInFlight yield) throws Exception {
        Handler<Command> handler = find(command.getClass());
        if (handler == null) {
            yield.fail(new UnknownCommandException(command.getClass()));
        } else {
            handler.handle(command, yield);
        }
    }

    private @Nullable Handler<Command> find(Class<?> command) {
        return handlers.get(command);
    }
}

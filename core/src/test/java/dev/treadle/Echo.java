// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** A command that is answered on the spot with what it holds. */
record Echo(Object value) implements Command {
    static final Handler<Echo> HANDLER = (command, receiver) -> receiver.complete(command.value());
}

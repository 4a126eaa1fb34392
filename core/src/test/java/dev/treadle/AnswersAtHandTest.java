// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/** The contract of answers on the spot, for handlers that give them to their receiver. */
class AnswersAtHandTest extends AnswersAtHandContract {
    @Override
    CommandRegistry registry() {
        return new CommandRegistry().register(Echo.class, Echo.HANDLER).register(Then.class, (command, receiver) -> {
            command.first().run();
            receiver.complete(null);
        });
    }
}

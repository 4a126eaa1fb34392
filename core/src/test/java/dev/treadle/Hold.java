// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A command that nobody answers but the test: its handler keeps what takes the answer. */
record Hold() implements Command {

    /** The handler of it. */
    static final class Held implements Handler<Hold> {
        private final BlockingQueue<ResultReceiver> receivers = new LinkedBlockingQueue<>();

        @Override
        public void handle(Hold command, ResultReceiver receiver) {
            receivers.add(receiver);
        }

        /** Waits for the next one to be dispatched. */
        ResultReceiver take() throws InterruptedException {
            ResultReceiver receiver = receivers.poll(Soon.LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (receiver == null) {
                throw new AssertionError("no command was dispatched within " + Soon.LIMIT);
            }
            return receiver;
        }

        boolean isEmpty() {
            return receivers.isEmpty();
        }
    }
}

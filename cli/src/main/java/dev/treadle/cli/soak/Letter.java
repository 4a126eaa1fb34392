// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.soak;

import java.util.concurrent.atomic.AtomicBoolean;

/** The payload of a message, with a fate: it is handled once, or becomes a dead letter once. */
final class Letter {
    /** How it is sent. */
    enum Kind {
        /** By a send, so it must have a fate. */
        MESSAGE,
        /** By a request from outside, so it must have a fate; but whether it was refused is not told at once. */
        OUTSIDE_REQUEST,
        /** By a timer, which may be cancelled before. */
        TIMER,
        /** By a command, which is not dispatched if the step throws. */
        REQUEST
    }

    final Kind kind;
    private final AtomicBoolean met = new AtomicBoolean();

    Letter(Kind kind) {
        this.kind = kind;
    }

    /** Any thread: whether this is the first fate that it meets. */
    boolean meetsFate() {
        return met.compareAndSet(false, true);
    }
}

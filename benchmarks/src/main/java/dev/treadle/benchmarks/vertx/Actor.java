// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vertx;

import io.vertx.core.Context;

/** An object on an event loop. */
abstract class Actor {
    private final Context context;

    Actor(Context context) {
        this.context = context;
    }

    abstract void receive(Object message);

    /** Any thread: the loop of this object takes it. */
    final void send(Object message) {
        context.runOnContext(nothing -> receive(message));
    }
}

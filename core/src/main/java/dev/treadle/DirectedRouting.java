// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.EventStack.Push;
import dev.treadle.relay.Delivery;
import org.jspecify.annotations.Nullable;

/** A routing whose messages a {@link Director} sees and interferes with. Never loaded where there is none. */
final class DirectedRouting extends Routing {
    private final Director director;

    private DirectedRouting(Scheduler scheduler, Director director) {
        super(scheduler);
        this.director = director;
    }

    /** Returned as what it extends, so that to verify the caller does not load this class. */
    static Routing of(Scheduler scheduler, Director director) {
        return new DirectedRouting(scheduler, director);
    }

    @Override
    Delivery deliver(ProcessCell target, Message message, @Nullable Worker worker) {
        boolean full = ProcessState.isOpen(target.word()) && director.refuses(target.self(), message);
        return full ? refuse(target, message, Push.FULL) : super.deliver(target, message, worker);
    }

    @Override
    Delivery push(ProcessCell target, Message message, @Nullable Worker worker) {
        Delivery delivery = super.push(target, message, worker);
        if (delivery.isDelivered()) {
            director.sent(target.self(), message);
        }
        return delivery;
    }
}

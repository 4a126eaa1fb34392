// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Calls a handler only while its limit has a slot for the command, which the command holds until it is answered. */
final class LimitedHandler<C extends Command> implements Handler<C> {
    private final Class<C> type;
    private final CallLimit limit;
    private final Handler<? super C> handler;
    private final Bindings bindings;

    LimitedHandler(Class<C> type, CallLimit limit, Handler<? super C> handler, Bindings bindings) {
        this.type = type;
        this.limit = limit;
        this.handler = handler;
        this.bindings = bindings;
    }

    @Override
    public void handle(C command, ResultReceiver receiver) {
        new Call(command, receiver).enter();
    }

    /** How far a call is. */
    private enum Phase {
        /** The handler is being called. */
        BEGINS,
        /** The handler has returned, the answer is still to come. */
        WORKS,
        /** There was an answer. */
        ANSWERED
    }

    /**
     * A command with its slot, and what its handler answers to. Whoever answers while the handler is being called leaves the
     * slot to the one that calls it, so that answers on the spot do not recurse; later ones pass it on themselves.
     */
    private final class Call extends LimitedCall implements ResultReceiver {
        private final C command;
        private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.BEGINS);

        Call(C command, ResultReceiver receiver) {
            super(type, LimitedHandler.this.limit, receiver);
            this.command = command;
        }

        @Override
        Begun begin(@Nullable BlockingThreads here) {
            if (receiver.isCancelled()) {
                failUnstarted();
                return Begun.OVER;
            }
            AttributeBinding.Scope scope = bindings.bind(attributes());
            try {
                handler.handle(command, this);
            } catch (Throwable thrown) {
                fail(thrown);
            } finally {
                scope.close();
            }
            return phase.compareAndSet(Phase.BEGINS, Phase.WORKS) ? Begun.GOES_ON : Begun.OVER;
        }

        /** The handler has set its own action with {@link #onCancel}, or does not want to know. */
        @Override
        void stop() {}

        @Override
        public boolean completeYield(long tag, @Nullable Object data, @Nullable Throwable error) {
            boolean counts = receiver.completeYield(tag, data, error);
            if (phase.getAndSet(Phase.ANSWERED) == Phase.WORKS) {
                limit.passOn(null);
            }
            return counts;
        }

        @Override
        public void onCancel(Runnable action) {
            receiver.onCancel(action);
        }

        @Override
        public boolean isCancelled() {
            return receiver.isCancelled();
        }

        @Override
        public Pid pid() {
            return receiver.pid();
        }

        @Override
        public long tag() {
            return receiver.tag();
        }

        @Override
        public Map<String, Object> attributes() {
            return receiver.attributes();
        }
    }
}

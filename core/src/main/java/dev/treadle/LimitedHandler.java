// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
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
        /** The answer was heard. */
        ANSWERED
    }

    /**
     * A command with its slot, and what its handler answers to. The first answer settles who has the slot next, and is heard
     * after that. If the handler is still being called then, the next call is left to the one that calls it, so that answers
     * on the spot do not recurse; otherwise the one that answered begins it.
     */
    private final class Call extends LimitedCall implements ResultReceiver {
        private final C command;
        private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.BEGINS);
        private final AtomicBoolean answered = new AtomicBoolean();
        private @Nullable LimitedCall next; // written before phase becomes ANSWERED, read after

        Call(C command, ResultReceiver receiver) {
            super(type, LimitedHandler.this.limit, receiver);
            this.command = command;
        }

        @Override
        @Nullable
        LimitedCall begin(@Nullable BlockingThreads here) {
            if (receiver.isCancelled()) {
                LimitedCall next = limit.next();
                failUnstarted();
                return next;
            }
            AttributeBinding.Scope scope = bindings.bind(attributes());
            try {
                handler.handle(command, this);
            } catch (Throwable thrown) {
                fail(thrown);
            } finally {
                scope.close();
            }
            return phase.compareAndSet(Phase.BEGINS, Phase.WORKS) ? null : next;
        }

        /** The handler has set its own action with {@link #onCancel}, or does not want to know. */
        @Override
        void stop() {}

        @Override
        public boolean completeYield(long tag, @Nullable Object data, @Nullable Throwable error) {
            if (tag != tag() || !answered.compareAndSet(false, true)) {
                return receiver.completeYield(tag, data, error); // a wrong tag, or a second answer
            }
            next = limit.next();
            boolean counts = receiver.completeYield(tag, data, error);
            if (phase.getAndSet(Phase.ANSWERED) == Phase.WORKS) {
                limit.run(next, null);
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

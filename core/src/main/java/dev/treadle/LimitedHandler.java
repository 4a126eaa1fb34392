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
        /** The answer was heard. */
        ANSWERED
    }

    /** What became of the slot. */
    private enum Slot {
        TAKEN,
        /** Somebody answers, and looks who has it next: a few steps that wait for nobody. */
        SETTLING,
        /** It was given back, or is the next call's. */
        SETTLED
    }

    /**
     * A command with its slot, and what its handler answers to. The first answer settles who has the slot next, and only then
     * is it heard, or any other one. If the handler is still being called then, the next call is left to the one that calls
     * it, so that answers on the spot do not recurse; otherwise the one that answered begins it.
     */
    private final class Call extends LimitedCall implements ResultReceiver {
        private final C command;
        private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.BEGINS);
        private final AtomicReference<Slot> slot = new AtomicReference<>(Slot.TAKEN);
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
            boolean isRefused = tag != tag() || (data != null && error != null);
            if (isRefused || !settleSlot()) {
                return receiver.completeYield(tag, data, error); // throws, or is a second answer
            }
            try {
                return receiver.completeYield(tag, data, error);
            } finally {
                if (phase.getAndSet(Phase.ANSWERED) == Phase.WORKS) {
                    limit.run(next, null);
                }
            }
        }

        /** Any thread that answers. True for the first. */
        private boolean settleSlot() {
            if (Worker.current() != null) {
                StackRoom.ensure(); // from whatever depth of a step: what is settled must be passed on
            }
            if (slot.compareAndSet(Slot.TAKEN, Slot.SETTLING)) {
                next = limit.next();
                slot.set(Slot.SETTLED);
                return true;
            }
            while (slot.get() != Slot.SETTLED) {
                Thread.yield();
            }
            return false;
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

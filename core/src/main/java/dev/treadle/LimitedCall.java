// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** One command that is worked on within a {@link CallLimit}. Told apart by identity. */
abstract class LimitedCall {
    private static final VarHandle WAITING =
            fieldVarHandle(MethodHandles.lookup(), "waiting", VarHandle.class, LimitedCall.class, boolean.class);

    final CallLimit limit;
    final ResultReceiver receiver;
    private final Class<?> command;

    /** In the queue, and neither begun nor withdrawn. */
    private volatile boolean waiting;

    LimitedCall(Class<?> command, CallLimit limit, ResultReceiver receiver) {
        this.command = command;
        this.limit = limit;
        this.receiver = receiver;
    }

    /**
     * Whoever has a slot for it. Throws nothing.
     *
     * @return the call that has the slot next, for the caller to begin; null if there is none, or if this call goes on and
     *     will pass the slot on itself
     */
    abstract @Nullable LimitedCall begin(@Nullable BlockingThreads here);

    /** Any thread, when nobody wants the answer any more and the call does not wait. */
    abstract void stop();

    /** The worker that dispatches the command. */
    final void enter() {
        receiver.onCancel(
                this::cancel); // first: once it has begun, it may set an action of its own in place of this one
        switch (limit.enter(this)) {
            case RUN -> limit.run(this, null);
            case WAIT -> {
                if (receiver.isCancelled()) {
                    cancel(); // the action came before there was something to withdraw
                }
            }
            case REFUSED ->
                receiver.fail(new CommandOverloadException(command, limit.runningMax(), limit.waitingMax()));
        }
    }

    /** The worker that dispatches it, before it is in the queue. */
    final void setWaiting() {
        waiting = true;
    }

    /** Any thread: true for the one that begins it or withdraws it. */
    @CheckReturnValue
    final boolean endWaiting() {
        return WAITING.compareAndSet(this, true, false);
    }

    final boolean isWaiting() {
        return waiting;
    }

    private void cancel() {
        if (limit.withdraw(this)) {
            failUnstarted();
        } else {
            stop();
        }
    }

    final void failUnstarted() {
        receiver.fail(new CancellationException(name() + " was not started: nobody wants the answer any more"));
    }

    final String name() {
        return command.getSimpleName();
    }
}

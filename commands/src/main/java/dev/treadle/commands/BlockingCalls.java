// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;
import dev.treadle.Handler;
import dev.treadle.ResultReceiver;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs functions that may block off the workers, within the limits of an {@link Admission}. A thread runs a call and those
 * that wait after it, and ends when none waits.
 */
final class BlockingCalls {
    /*
     * Why not CommandRegistry.registerBlocking: it stops a call by an interrupt and by nothing else, and a JDBC driver in
     * the middle of a query does not hear it. Here a call says itself how it is to be stopped, and may change that as it
     * goes on (Call.stopBy). The bound on what waits is a setting, too.
     *
     * Why no pool. Nobody tells a handler that its scheduler has shut down, so a pool would have nobody to close it. While
     * calls wait, threads are reused. When none waits, a thread costs 0.1 ms at the most, and a call that blocks costs more.
     */
    private final CallThreads threads;
    private final Admission<Call<?>> admission;

    BlockingCalls(String name, int runningMax, int waitingMax) {
        threads = new CallThreads(name);
        admission = new Admission<>(runningMax, waitingMax);
    }

    /**
     * What a command does.
     *
     * @param <C> the command
     */
    @FunctionalInterface
    interface Work<C extends Command> {
        /** Runs on a thread for blocking calls. */
        @Nullable
        Object run(C command, Call<C> call) throws Exception;
    }

    /** Returns a handler that runs this function. Handlers of the same calls share the limits. */
    <C extends Command> Handler<C> handler(Work<C> work) {
        return (command, receiver) -> submit(new Call<>(command, receiver, work));
    }

    private void submit(Call<?> call) {
        Admission.Entry entry = admission.enter(call);
        if (entry == Admission.Entry.REFUSED) {
            call.receiver.fail(admission.overload(call.command));
            return;
        }
        call.receiver.onCancel(() -> cancel(call)); // after it has entered: a call that waits can be withdrawn
        if (entry == Admission.Entry.RUN) {
            start(call);
        }
    }

    /** Starts a thread for a call that has a slot. If there is none to be had, the calls fail and the slot is free. */
    private void start(Call<?> first) {
        try {
            aside(() -> runCalls(first));
        } catch (Throwable thrown) {
            for (Call<?> call = first; call != null; call = admission.next()) {
                call.receiver.fail(thrown);
            }
        }
    }

    private void runCalls(Call<?> first) {
        for (Call<?> call = first; call != null; call = admission.next()) {
            call.run();
        }
    }

    private void cancel(Call<?> call) {
        if (admission.withdraw(call)) {
            call.receiver.fail(new CancellationException(
                    call.command.getClass().getSimpleName() + " was not started: nobody wants the answer any more"));
        } else {
            call.stop();
        }
    }

    /** Runs something on a thread of its own, besides the calls: what stops one, and may block while it does. */
    void aside(Runnable task) {
        threads.newThread(task).start();
    }

    /** How many calls run now. */
    int running() {
        return admission.running();
    }

    /** How many calls wait now. */
    int waiting() {
        return admission.waiting();
    }

    /**
     * One call. Its own thread says how it is to be stopped; any thread may stop it.
     *
     * @param <C> the command
     */
    static final class Call<C extends Command> {
        private final C command;
        private final ResultReceiver receiver;
        private final Work<C> work;

        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable Runnable stopper;
        private @Nullable Runnable afterwards;
        private boolean stopped;

        Call(C command, ResultReceiver receiver, Work<C> work) {
            this.command = command;
            this.receiver = receiver;
            this.work = work;
        }

        /** The call's thread. */
        private void run() {
            Object data = null;
            Throwable error = null;
            try {
                checkWanted();
                data = work.run(command, this);
            } catch (Throwable thrown) {
                error = thrown;
            } finally {
                stopBy(null);
                Thread.interrupted(); // an interrupt was meant for this call, not for the next one on this thread
            }
            receiver.completeYield(receiver.tag(), error == null ? data : null, error == null ? null : asTold(error));
            if (afterwards != null) {
                afterwards.run();
            }
        }

        /** What a call that was told to stop fails with is the cancellation, whatever the driver made of it. */
        private Throwable asTold(Throwable error) {
            if (!isStopped() || error instanceof CancellationException) {
                return error;
            }
            CancellationException cancelled = cancellation();
            cancelled.initCause(error);
            return cancelled;
        }

        private CancellationException cancellation() {
            return new CancellationException(
                    command.getClass().getSimpleName() + " was stopped: nobody wants the answer any more");
        }

        /** The process that waits for the answer. */
        ResultReceiver receiver() {
            return receiver;
        }

        /** Whether somebody told it to stop. */
        boolean isStopped() {
            lock.lock();
            try {
                return stopped;
            } finally {
                lock.unlock();
            }
        }

        /** The call's thread: runs this after the answer was given. */
        void afterwards(Runnable action) {
            afterwards = action;
        }

        /** The call's thread. Throws if nobody wants the answer any more. */
        void checkWanted() {
            if (isStopped() || receiver.isCancelled()) {
                throw cancellation();
            }
        }

        /**
         * The call's thread: from now on it is stopped in this way, and at once if it was told to stop already. An action
         * that was replaced is not run any more when this method returns.
         *
         * @param action must be quick, or null if it cannot be stopped now
         */
        void stopBy(@Nullable Runnable action) {
            lock.lock();
            try {
                stopper = action;
                if (stopped && action != null) {
                    action.run();
                }
            } finally {
                lock.unlock();
            }
        }

        /** The call's thread: from now on an interrupt stops it. */
        void stopByInterrupt() {
            stopBy(Thread.currentThread()::interrupt);
        }

        /** The call's thread: from now on it goes on to its end, and an interrupt that came before is forgotten. */
        void stopByNothing() {
            stopBy(null);
            Thread.interrupted();
        }

        /** Any thread. */
        void stop() {
            lock.lock();
            try {
                stopped = true;
                if (stopper != null) {
                    stopper.run();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}

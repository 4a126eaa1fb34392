// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs a function that may block off the workers: so many calls at once, so many waiting, and no more. The call of a
 * process that has ended is not started, and interrupted if it runs.
 */
final class BlockingHandler<C extends Command> implements Handler<C> {
    private final Class<C> command;
    private final int runningMax;
    private final int waitingMax;
    private final CommandRegistry.BlockingFunction<? super C> function;
    private final BlockingThreads threads;
    private final Bindings bindings;

    // Under the lock of this object, which is never held while user code runs.
    private final LinkedHashSet<Call> waiting = new LinkedHashSet<>();
    private int running;

    BlockingHandler(
            Class<C> command,
            int runningMax,
            int waitingMax,
            CommandRegistry.BlockingFunction<? super C> function,
            BlockingThreads threads,
            Bindings bindings) {
        this.command = command;
        this.runningMax = runningMax;
        this.waitingMax = waitingMax;
        this.function = function;
        this.threads = threads;
        this.bindings = bindings;
    }

    @Override
    public void handle(C command, ResultReceiver receiver) {
        var call = new Call(command, receiver);
        receiver.onCancel(call::cancel);
        if (!admit(call)) {
            return;
        }
        try {
            threads.execute(() -> runCalls(call));
        } catch (RejectedExecutionException e) {
            giveUp(
                    call,
                    new CancellationException("the scheduler is shutting down, no more blocking calls are started"));
        } catch (Throwable thrown) {
            giveUp(call, thrown); // no thread to be had
        }
    }

    /** A worker. Returns true if the caller must start a thread for the call. */
    private boolean admit(Call call) {
        synchronized (this) {
            if (running < runningMax) {
                running++;
                return true;
            }
            if (waiting.size() < waitingMax) {
                waiting.add(call);
                return false;
            }
        }
        call.receiver.fail(new CommandOverloadException(command, runningMax, waitingMax));
        return false;
    }

    /** A worker that found no thread for a call: fails it, and those that wait if no thread is left to come to them. */
    private void giveUp(Call call, Throwable reason) {
        List<Call> left = List.of();
        synchronized (this) {
            running--;
            if (running == 0) {
                left = List.copyOf(waiting);
                waiting.clear();
            }
        }
        call.receiver.fail(reason);
        left.forEach(other -> other.receiver.fail(reason));
    }

    /** A thread for blocking calls: runs one, and those that wait after it. */
    private void runCalls(Call first) {
        for (Call call = first; call != null; call = next()) {
            call.run();
        }
    }

    private synchronized @Nullable Call next() {
        Iterator<Call> calls = waiting.iterator();
        if (!calls.hasNext()) {
            running--;
            return null;
        }
        Call call = calls.next();
        calls.remove();
        return call;
    }

    /** Any thread: a call that nobody wants any more makes room for others if it waits. True if it does not run. */
    private synchronized boolean withdraw(Call call) {
        return waiting.remove(call);
    }

    /** One call; knows its thread while it runs, so that it can be interrupted then and at no other time. */
    private final class Call {
        private final C command;
        private final ResultReceiver receiver;
        private @Nullable Thread thread;

        Call(C command, ResultReceiver receiver) {
            this.command = command;
            this.receiver = receiver;
        }

        void run() {
            if (!begin()) {
                failUnstarted();
                return;
            }
            Object data = null;
            Throwable error = null;
            AttributeBinding.Scope scope = bindings.bind(receiver.attributes());
            try {
                data = function.call(command);
            } catch (Throwable thrown) {
                error = thrown;
            } finally {
                scope.close();
                end();
            }
            receiver.completeYield(receiver.tag(), error == null ? data : null, error);
        }

        private synchronized boolean begin() {
            if (receiver.isCancelled()) {
                return false;
            }
            thread = Thread.currentThread();
            return true;
        }

        private synchronized void end() {
            thread = null;
            Thread.interrupted(); // an interrupt was meant for this call, not for the next one on this thread
        }

        void cancel() {
            if (withdraw(this)) {
                failUnstarted();
            } else {
                interrupt();
            }
        }

        private void failUnstarted() {
            receiver.fail(
                    new CancellationException("the process no longer wants the answer, the call was not started"));
        }

        private synchronized void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }
    }
}

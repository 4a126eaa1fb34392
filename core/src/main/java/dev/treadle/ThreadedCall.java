// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A {@link BlockingCall}: runs a function on a thread for blocking calls, and is stopped while it does and at no other time. */
final class ThreadedCall extends LimitedCall implements BlockingCall, BlockingThreads.Occupant {
    /*
     * lock guards who runs the call and how it is stopped. The action that stops it runs under the lock: stopBy, and the end
     * of the call, must not return while it does, or it would interrupt or cancel what the thread does next. Nobody but the
     * call's own thread waits for it there. That is the one place where user code runs under a lock.
     */
    private final Work work;
    private final BlockingThreads threads;
    private final Bindings bindings;

    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Thread thread; // from the beginning of the function to its end
    private volatile boolean told;
    private volatile boolean stopping; // while the action runs
    private boolean byInterrupt = true;
    private @Nullable Runnable byAction;

    // Of the call's own thread.
    private @Nullable Runnable afterwards;

    /** The function, with the command that it is called with. */
    @FunctionalInterface
    interface Work {
        @Nullable
        Object run(BlockingCall call) throws Exception;
    }

    ThreadedCall(
            Class<?> command,
            CallLimit limit,
            ResultReceiver receiver,
            Work work,
            BlockingThreads threads,
            Bindings bindings) {
        super(command, limit, receiver);
        this.work = work;
        this.threads = threads;
        this.bindings = bindings;
    }

    @Override
    @Nullable
    LimitedCall begin(@Nullable BlockingThreads here) {
        threads.enter(this);
        if (threads.isClosing()) {
            told = true; // who closes them may have missed this one
        }
        if (here == threads) {
            return run();
        }
        try {
            threads.execute(() -> limit.run(run(), threads));
            return null;
        } catch (RejectedExecutionException e) {
            return giveUp(
                    new CancellationException("the scheduler is shutting down, no more blocking calls are started"));
        } catch (Throwable thrown) {
            return giveUp(thrown); // no thread to be had
        }
    }

    private @Nullable LimitedCall giveUp(Throwable reason) {
        threads.leave(this);
        LimitedCall next = limit.nextWithoutThread();
        receiver.fail(reason);
        return next;
    }

    /** A thread for blocking calls. Throws nothing. Returns the call that has the slot next. */
    private @Nullable LimitedCall run() {
        try {
            if (!takeThread()) {
                LimitedCall next = limit.next();
                failUnstarted();
                return next;
            }
            AttributeBinding.Scope scope = bindings.bind(attributes());
            Object data = null;
            Throwable error = null;
            try {
                data = work.run(this);
            } catch (Throwable thrown) {
                error = asTold(thrown);
            } finally {
                scope.close();
                leaveThread();
            }
            LimitedCall next = limit.next();
            receiver.completeYield(receiver.tag(), error == null ? data : null, error);
            Runnable afterwards = this.afterwards;
            if (afterwards != null) {
                limit.run(next, null); // on a thread of its own: what is done afterwards may take long
                next = null;
                bindings.run(attributes(), "what a blocking call of " + pid() + " does afterwards", afterwards);
            }
            return next;
        } finally {
            threads.leave(this);
        }
    }

    /** Returns false if nobody wants the answer any more. */
    private boolean takeThread() {
        lock.lock();
        try {
            if (isStopped()) {
                return false;
            }
            thread = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leaveThread() {
        lock.lock();
        try {
            thread = null;
            Thread.interrupted(); // an interrupt was meant for this call, not for the next one on this thread
        } finally {
            lock.unlock();
        }
    }

    /** What a call that was told to stop fails with is the cancellation, whatever a driver made of it. */
    private Throwable asTold(Throwable error) {
        if (!isStopped() || error instanceof CancellationException) {
            return error;
        }
        CancellationException cancelled = cancellation();
        cancelled.initCause(error);
        return cancelled;
    }

    private CancellationException cancellation() {
        return new CancellationException(name() + " was stopped: nobody wants the answer any more");
    }

    @Override
    public Pid pid() {
        return receiver.pid();
    }

    @Override
    public Map<String, Object> attributes() {
        return receiver.attributes();
    }

    @Override
    public @Nullable Thread thread() {
        return thread;
    }

    @Override
    public boolean isStopped() {
        return told || receiver.isCancelled();
    }

    @Override
    public void checkStopped() {
        if (isStopped()) {
            throw cancellation();
        }
    }

    @Override
    public void stopBy(Runnable action) {
        setStopper(false, action);
    }

    @Override
    public void stopByInterrupt() {
        setStopper(true, null);
    }

    @Override
    public void stopByNothing() {
        setStopper(false, null);
    }

    private void setStopper(boolean interrupt, @Nullable Runnable action) {
        Thread current = requireOwnThread();
        lock.lock();
        try {
            byInterrupt = interrupt;
            byAction = action;
            if (!interrupt) {
                Thread.interrupted();
            }
            if (isStopped()) { // who cancels says so first, and comes by here a moment later
                told = true;
                stop(current);
            }
        } finally {
            lock.unlock();
        }
    }

    private void stop(Thread thread) {
        if (byInterrupt) {
            thread.interrupt();
        } else if (byAction != null) {
            stopping = true;
            try {
                byAction.run();
            } finally {
                stopping = false;
            }
        }
    }

    private Thread requireOwnThread() {
        Thread current = Thread.currentThread();
        if (current != thread) {
            throw new IllegalStateException("the call of " + name() + " was told something by thread \""
                    + current.getName() + "\", must be its own, while it runs: do this in the function itself");
        }
        return current;
    }

    @Override
    public void stop() {
        if (!lockUnlessStopping()) {
            return; // the action that stops it runs, and may never end
        }
        try {
            boolean first = !told;
            told = true;
            Thread thread = this.thread;
            // An interrupt again if need be: the one before may have been swallowed.
            if (thread != null && (first || byInterrupt)) {
                stop(thread);
            }
        } finally {
            lock.unlock();
        }
    }

    /** False if the lock is held for longer than a moment: somebody runs the action that stops the call. */
    private boolean lockUnlessStopping() {
        while (!lock.tryLock()) {
            if (stopping) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    @Override
    public void beside(Runnable task) {
        var occupant = new Beside(pid());
        threads.enter(occupant);
        try {
            threads.execute(() -> {
                occupant.thread = Thread.currentThread();
                try {
                    bindings.run(attributes(), "what runs beside a blocking call of " + pid(), task);
                } finally {
                    threads.leave(occupant);
                }
            });
        } catch (Throwable thrown) {
            threads.leave(occupant);
            throw thrown;
        }
    }

    @Override
    public void afterwards(Runnable action) {
        requireOwnThread();
        afterwards = action;
    }

    /** A task that belongs to a call and has a thread of its own. */
    private static final class Beside implements BlockingThreads.Occupant {
        private final Pid pid;
        private volatile @Nullable Thread thread;

        Beside(Pid pid) {
            this.pid = pid;
        }

        @Override
        public Pid pid() {
            return pid;
        }

        @Override
        public @Nullable Thread thread() {
            return thread;
        }

        @Override
        public void stop() {}
    }
}

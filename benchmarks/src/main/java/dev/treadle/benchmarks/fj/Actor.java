// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.fj;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import org.jctools.queues.varhandle.unpadded.MpscLinkedVarHandleUnpaddedQueue;
import org.jspecify.annotations.Nullable;

/** An actor that is its own task: to schedule it allocates nothing. */
abstract class Actor extends ForkJoinTask<@Nullable Void> {
    /*
     * scheduled is 1 from the send that finds it 0 until a turn ends with an empty mailbox. The turn's end writes 0, then
     * looks at the mailbox again: a message put in before that is found here, one put in after it finds the 0.
     * exec() returns false, so the task never completes and can be forked again.
     */
    private static final int MESSAGES_PER_TURN = 64;

    private static final VarHandle SCHEDULED =
            fieldVarHandle(MethodHandles.lookup(), "scheduled", VarHandle.class, Actor.class, int.class);

    private final ForkJoinPool pool;
    private final MpscLinkedVarHandleUnpaddedQueue<Object> mailbox = new MpscLinkedVarHandleUnpaddedQueue<>();
    private volatile int scheduled;
    private boolean turnIsOver;

    Actor(ForkJoinPool pool) {
        this.pool = pool;
    }

    abstract void receive(Object message);

    /** Any thread. */
    final void send(Object message) {
        mailbox.offer(message);
        if (scheduled == 0 && SCHEDULED.compareAndSet(this, 0, 1)) {
            schedule();
        }
    }

    /** In a turn only: ends it, and wants another one, with this message, behind the others that wait. */
    final void yieldTurn(Object message) {
        mailbox.offer(message);
        turnIsOver = true;
    }

    final ForkJoinPool pool() {
        return pool;
    }

    private void schedule() {
        if (Thread.currentThread() instanceof ForkJoinWorkerThread worker && worker.getPool() == pool) {
            fork();
        } else {
            pool.execute(this);
        }
    }

    @Override
    protected final boolean exec() {
        turnIsOver = false;
        for (int i = 0; i < MESSAGES_PER_TURN && !turnIsOver; i++) {
            Object message = mailbox.relaxedPoll();
            if (message == null) {
                break;
            }
            receive(message);
        }
        if (!mailbox.isEmpty()) {
            fork();
            return false;
        }
        scheduled = 0;
        if (!mailbox.isEmpty() && SCHEDULED.compareAndSet(this, 0, 1)) {
            fork();
        }
        return false;
    }

    @Override
    public final @Nullable Void getRawResult() {
        return null;
    }

    @Override
    protected final void setRawResult(@Nullable Void value) {}
}

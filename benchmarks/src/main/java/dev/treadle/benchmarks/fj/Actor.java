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

/** An actor with a mailbox, whose turns are tasks of the pool. */
abstract class Actor {
    /*
     * scheduled is 1 from the send that finds it 0 until a turn ends with an empty mailbox. The turn's end writes 0, then
     * looks at the mailbox again: a message put in before that is found here, one put in after it finds the 0.
     *
     * A turn is a new task each time. An actor that is its own task, forked again and again, saves the object, but the pool
     * does not bear it: a thief that read a slot of a queue finds the same task in the same slot when the queue has gone
     * round, takes it, and sets the queue's base back. fjthrow hung by that on JDK 25, with a worker in nextLocalTask.
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
            new Turn(this).fork();
        } else {
            pool.execute(new Turn(this));
        }
    }

    private void turn() {
        turnIsOver = false;
        for (int i = 0; i < MESSAGES_PER_TURN && !turnIsOver; i++) {
            Object message = mailbox.relaxedPoll();
            if (message == null) {
                break;
            }
            receive(message);
        }
        if (!mailbox.isEmpty()) {
            new Turn(this).fork();
            return;
        }
        scheduled = 0;
        if (!mailbox.isEmpty() && SCHEDULED.compareAndSet(this, 0, 1)) {
            new Turn(this).fork();
        }
    }

    /** One turn of an actor. */
    private static final class Turn extends ForkJoinTask<@Nullable Void> {
        private final Actor actor;

        Turn(Actor actor) {
            this.actor = actor;
        }

        @Override
        protected boolean exec() {
            actor.turn();
            return true;
        }

        @Override
        public @Nullable Void getRawResult() {
            return null;
        }

        @Override
        protected void setRawResult(@Nullable Void value) {}
    }
}

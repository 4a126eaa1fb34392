// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks.vt;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.varhandle.unpadded.MpscLinkedVarHandleUnpaddedQueue;
import org.jspecify.annotations.Nullable;

/** Messages for one thread, which parks while there are none. */
final class Mailbox {
    /*
     * The reader sets waiting to itself, then looks once more, then parks. A sender puts its message in, then takes
     * waiting, and unparks whom it found. Both writes are volatile and come before the reads: one of the two sees the
     * other. Only one sender takes it, so the reader is unparked once.
     */
    private static final VarHandle WAITING =
            fieldVarHandle(MethodHandles.lookup(), "waiting", VarHandle.class, Mailbox.class, Thread.class);

    private final MpscLinkedVarHandleUnpaddedQueue<Object> messages = new MpscLinkedVarHandleUnpaddedQueue<>();
    private volatile @Nullable Thread waiting;

    /** Any thread. */
    void send(Object message) {
        messages.offer(message);
        Thread reader = waiting;
        if (reader != null && WAITING.compareAndSet(this, reader, null)) {
            LockSupport.unpark(reader);
        }
    }

    /** The reader. */
    Object receive() {
        Object message = messages.poll();
        while (message == null) {
            waiting = Thread.currentThread();
            message = messages.poll();
            if (message == null) {
                LockSupport.park(this);
                message = messages.poll();
            }
            waiting = null;
        }
        return message;
    }
}

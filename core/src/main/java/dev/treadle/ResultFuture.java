// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A future that refuses to be waited for by a worker: the process waited for may need that very worker to run. */
final class ResultFuture<T extends @Nullable Object> extends CompletableFuture<T> {
    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new ResultFuture<>();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        await();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (await(unit.toNanos(timeout))) {
            return super.get(timeout, unit);
        }
        throw new TimeoutException("not there within " + timeout + " " + unit + " of the director's time");
    }

    @Override
    public T join() {
        await();
        return super.join();
    }

    /** Refuses to wait on a worker; takes the director's turns, if there is one. */
    private void await() {
        if (!await(Long.MAX_VALUE)) {
            throw new IllegalStateException(
                    "a result was waited for that never comes: nothing can happen any more in what"
                            + " the director of this thread runs; look at what the process waits for");
        }
    }

    /** Returns false if it is not there although the director has taken all turns there were. */
    private boolean await(long timeoutNanos) {
        if (isDone()) {
            return true;
        }
        OwnThreads.refuseToBlock("wait for the result of a process");
        Director director = OwnThreads.director();
        if (director == null) {
            return true;
        }
        long now = director.nanos();
        long untilNanos = timeoutNanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + timeoutNanos;
        boolean goesOn = true;
        while (goesOn && !isDone()) {
            goesOn = director.turn(untilNanos);
        }
        return isDone();
    }
}

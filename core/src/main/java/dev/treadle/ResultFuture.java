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
        checkNotWorker();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        checkNotWorker();
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        checkNotWorker();
        return super.join();
    }

    private void checkNotWorker() {
        if (!isDone()) {
            OwnThreads.refuseToBlock("wait for the result of a process");
        }
    }
}

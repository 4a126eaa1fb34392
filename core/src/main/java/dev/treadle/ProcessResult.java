// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How a process ended, and who waits for that. A part of {@link ProcessCell}. */
class ProcessResult extends ProcessYields {
    private static final VarHandle RESULT =
            fieldVarHandle(MethodHandles.lookup(), "result", VarHandle.class, ProcessResult.class, Object.class);

    /** Null, the {@link Outcome}, or the {@link ResultFuture} that somebody waits for. */
    private volatile @Nullable Object result;

    /** Any thread. */
    final CompletableFuture<@Nullable Object> result() {
        while (true) {
            Object before = RESULT.getVolatile(this);
            if (before instanceof ResultFuture<?> future) {
                @SuppressWarnings("unchecked") // no other is stored
                var known = (ResultFuture<@Nullable Object>) future;
                return known.copy(); // so that whoever completes it early, with orTimeout say, does so for himself
            }
            var made = new ResultFuture<@Nullable Object>();
            if (before instanceof Outcome outcome) {
                settle(made, outcome);
            }
            if (RESULT.compareAndSet(this, before, made)) {
                return made.copy();
            }
        }
    }

    /** Any thread. Whether anybody has asked for the result. */
    final boolean isAwaited() {
        return RESULT.getVolatile(this) instanceof ResultFuture<?>;
    }

    /** Whoever took the process off the table: lets those who wait for the result know. */
    final void settle(Outcome outcome) {
        if (!RESULT.compareAndSet(this, null, outcome) && RESULT.getVolatile(this) instanceof ResultFuture<?> future) {
            @SuppressWarnings("unchecked") // no other is stored
            var known = (ResultFuture<@Nullable Object>) future;
            settle(known, outcome);
        }
    }

    private static void settle(ResultFuture<@Nullable Object> future, Outcome outcome) {
        if (outcome instanceof Outcome.Done done) {
            future.complete(done.result());
        } else if (outcome instanceof ProcessExit exit && exit.isDone()) {
            future.complete(exit.result());
        } else if (outcome instanceof ProcessExit exit) {
            future.completeExceptionally(new ProcessFailedException(exit));
        }
    }
}

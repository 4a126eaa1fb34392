// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** Waits for what must happen soon; "soon" is generous, as the machine may be busy. */
final class Soon {
    static final Duration LIMIT = Duration.ofSeconds(60);

    private Soon() {}

    /** Waits until the condition holds. */
    static void until(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(LIMIT)
                .until(condition);
    }

    /** Waits until the condition holds. */
    static void until(Callable<Boolean> condition) {
        until("the condition", condition);
    }

    /** Waits until the assertion holds. */
    static void eventually(ThrowingRunnable assertion) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(LIMIT)
                .untilAsserted(assertion);
    }

    /** Waits until the process is seen in that state. */
    static void reaches(ProcessRef ref, ProcessInfo.State state) {
        until(
                ref + " " + state,
                () -> ref.inspect().filter(info -> info.state() == state).isPresent());
    }

    /** Waits for a result; what it failed with is thrown, inside a {@link CompletionException}. */
    static <T> T get(Future<T> future) {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new CompletionException(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no result within " + LIMIT, e);
        }
    }

    /** Waits until a process has ended, in whatever way, and returns how. */
    static ProcessExit exitOf(ProcessRef process) {
        return get(process.result()
                .handle((result, error) -> error == null ? ProcessExit.done(process.pid(), result) : exitIn(error)));
    }

    private static ProcessExit exitIn(Throwable error) {
        Throwable failure = error instanceof CompletionException ? error.getCause() : error;
        return ((ProcessFailedException) failure).exit();
    }
}

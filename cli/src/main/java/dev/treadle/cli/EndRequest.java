// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command that runs until Ctrl-C end in order: it hears of the signal, ends what it runs, prints its report, and
 * only then does the JVM go.
 *
 * <pre>{@code
 * try (EndRequest end = EndRequest.listen(Duration.ofSeconds(10))) {
 *     while (!end.await(Duration.ofMillis(500))) {
 *         showStatus();
 *     }
 *     printReport();
 * }
 * }</pre>
 */
public final class EndRequest implements AutoCloseable {
    /*
     * On SIGINT, SIGTERM or SIGHUP the JVM starts its shutdown hooks, and halts when they return: with exit code 128 + the
     * number of the signal, whatever main returns. Our hook asks, and waits until the command has closed this object.
     *
     * It must not wait for the thread of the command to end: that one goes on to System.exit, which waits for the hooks.
     * So the hook waits for a latch that is opened before. And it waits for so long only: a command that hangs must not
     * make the process immune to Ctrl-C.
     */
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook;

    private EndRequest(Duration patience) {
        hook = new Thread(() -> askAndWait(patience), "treadle-end-request");
    }

    /**
     * Returns an object that hears signals from now on.
     *
     * @param patience how long the JVM waits, after a signal, for {@link #close} to be called
     */
    public static EndRequest listen(Duration patience) {
        var request = new EndRequest(patience);
        Runtime.getRuntime().addShutdownHook(request.hook);
        return request;
    }

    private void askAndWait(Duration patience) {
        ask();
        try {
            boolean unused = closed.await(patience.toMillis(), TimeUnit.MILLISECONDS); // either way the JVM ends now
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // somebody wants the JVM to end now
        }
    }

    /** Any thread: asks as a signal does, but without ending the JVM. */
    public void ask() {
        asked.countDown();
    }

    /** Returns whether the command was asked to end. */
    public boolean isAsked() {
        return asked.getCount() == 0;
    }

    /** Waits, and returns whether the command was asked to end. An interrupt asks as well, and is kept. */
    public boolean await(Duration timeout) {
        try {
            return asked.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ask();
            return true;
        }
    }

    /** The command, when it has printed what it had to say. */
    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // a signal came: the hook runs, and finds the latch open
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;

/**
 * A call of a function that may block, while it runs: who waits for it, whether it is still wanted, and how it is to be
 * stopped when it is not. Given to what {@link CommandRegistry#registerBlocking(Class, CallLimit,
 * CommandRegistry.StoppableFunction)} registers.
 *
 * <p>A call that nobody wants any more is interrupted, unless it says otherwise. An interrupt does not end a read from a
 * socket, a query in a database or a program that runs; such a call says what does:
 *
 * <pre>{@code
 * registry.registerBlocking(Fetch.class, CallLimit.of(8, 100), (fetch, call) -> {
 *     try (Socket socket = new Socket(fetch.host(), fetch.port())) {
 *         call.stopBy(() -> close(socket)); // whoever reads from it gets an exception
 *         return socket.getInputStream().readAllBytes();
 *     }
 * });
 * }</pre>
 *
 * <p>A call that was told to stop and then fails, whatever it throws, fails with a {@link
 * java.util.concurrent.CancellationException}. One that returns all the same is answered with what it returns. A shutdown
 * tells all calls to stop and waits for them as long as its time allows.
 */
public interface BlockingCall {
    /** Returns the process that waits for the answer. */
    Pid pid();

    /** Returns the attributes of the process that waits: its trace id, tenant, user. */
    Map<String, Object> attributes();

    /** Any thread. Returns whether it was told to stop. */
    boolean isStopped();

    /**
     * Any thread: goes on if the call is still wanted. For the moment before something that cannot be undone.
     *
     * @throws java.util.concurrent.CancellationException if it was told to stop
     */
    void checkStopped();

    /**
     * The call's own thread: from now on the call is stopped in this way, and no longer by an interrupt. If it was told to
     * stop already, the action runs at once. An interrupt that came before is forgotten. When this method returns, the action
     * before this one does not run, and will not.
     *
     * @param action ends what the call waits for; run once, by another thread, and must be quick: {@link #beside} is for what
     *     blocks
     * @throws IllegalStateException if it is not the call's own thread
     */
    void stopBy(Runnable action);

    /**
     * The call's own thread: from now on it is stopped by an interrupt, as at its beginning.
     *
     * @throws IllegalStateException if it is not the call's own thread
     */
    void stopByInterrupt();

    /**
     * The call's own thread: from now on it goes on to its end. An interrupt that came before is forgotten.
     *
     * @throws IllegalStateException if it is not the call's own thread
     */
    void stopByNothing();

    /** Any thread: tells the call to stop, as if nobody wanted its answer any more. Does nothing if it is over. */
    void stop();

    /**
     * Any thread, also after the call: runs a task on a thread of the same kind, beside the limit and with the same attributes
     * in force. For what belongs to the call and may block: asking a database to cancel, feeding a program. It is not
     * interrupted. A shutdown waits for it as for a call.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the scheduler has shut down
     */
    void beside(Runnable task);

    /**
     * The call's own thread: runs an action right after the answer was given, on the same thread. A later one replaces the one
     * before.
     *
     * @throws IllegalStateException if it is not the call's own thread
     */
    void afterwards(Runnable action);
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Delivery;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A process as seen from outside: send to it, wait for its result, ask it to end.
 *
 * <p>Immutable, safe to share, and valid after the process has ended.
 */
public final class ProcessRef {
    private final ProcessCell cell;

    ProcessRef(ProcessCell cell) {
        this.cell = cell;
    }

    /** Returns the address of the process. */
    public Pid pid() {
        return cell.self();
    }

    /**
     * Puts a message in the mailbox and returns without waiting for it to be handled. Any thread. Messages from one
     * thread arrive in order; whatever was written before is seen by the step that gets the message.
     *
     * @param topic what it is about
     * @param payload the content, or null; must not be modified afterwards
     * @return what became of it
     */
    public Delivery send(String topic, @Nullable Object payload) {
        return cell.scheduler.routing.send(cell, topic, payload);
    }

    /**
     * Sends a request, and returns its reply as a future. Any thread; does not wait. The future fails with an {@link
     * AskFailedException} if the request was not delivered, if the process ends without a reply, or after the timeout.
     *
     * <p>To wait for it inside a step would block a worker, and is refused with an {@link IllegalStateException}: a process
     * yields {@link dev.treadle.command.Ask} instead. What is chained to the future without an executor runs on a thread of
     * the scheduler, and must be quick.
     *
     * @param topic what it is about
     * @param payload the content, or null; must not be modified afterwards
     * @param timeout how long to wait
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public CompletableFuture<@Nullable Object> ask(String topic, @Nullable Object payload, Duration timeout) {
        return cell.scheduler.asks.ask(cell, topic, payload, Durations.positiveNanos("timeout", timeout));
    }

    /**
     * Returns the result, as a future that is complete when the process has ended and was closed. It fails with a {@link
     * ProcessFailedException} if the process did not end with {@link StepOutput#done}.
     *
     * <p>To wait for it inside a step would block a worker, and is refused with an {@link IllegalStateException}.
     */
    public CompletableFuture<@Nullable Object> result() {
        return cell.result();
    }

    /**
     * Asks the process to end, with a {@link Signal}. It may take its time.
     *
     * @param reason why, in words
     */
    public Delivery cancel(String reason) {
        return cell.scheduler.cancel(cell.self(), reason);
    }

    /**
     * Asks the process to end, and ends it by force if it is still there after the deadline.
     *
     * @param reason why, in words
     * @param deadline how long it may take
     */
    public Delivery cancel(String reason, Duration deadline) {
        return cell.scheduler.cancel(cell.self(), reason, deadline);
    }

    /** Ends the process at its next step boundary, awake or not. It is closed, but not stepped again. */
    public Delivery terminate() {
        return cell.scheduler.terminate(cell.self());
    }

    /** Returns what the process is doing, or nothing if it has ended. */
    public Optional<ProcessInfo> inspect() {
        return cell.scheduler.inspect(cell.self());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProcessRef that && cell == that.cell;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(cell.id);
    }

    @Override
    public String toString() {
        return "ProcessRef" + cell.self();
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Decides, for a scheduler without threads, what is otherwise left to chance, and sees all that happens: the seam that a
 * simulation drives a scheduler by. Set with {@link SchedulerBuilder#director}; see {@link SteppedScheduler} for the rest of
 * it. A scheduler without a director has none of these calls in its code.
 *
 * <p>All methods are called on the thread that steps the scheduler. The default of each changes nothing.
 */
public interface Director {
    /** How the handler of a command was registered. */
    enum HandlerKind {
        /** It comes with the scheduler, and does nothing but timers and messages. */
        BUILT_IN,
        /** With {@link CommandRegistry#register}. */
        QUICK,
        /** With {@link CommandRegistry#registerAsync}: something else answers, on a thread of its own most likely. */
        ASYNC,
        /** With {@link CommandRegistry#registerBlocking}, or a {@link dev.treadle.command.Call}: runs on another thread. */
        BLOCKING,
        /** There is none: the command is one of {@link #standIns}. */
        NONE
    }

    /** Stands for "no timeout" in {@link #yielded}. */
    long NO_TIMEOUT = Long.MAX_VALUE;

    /**
     * Returns how many events a turn gets at the most.
     *
     * @param process whose turn it is
     * @param budget the most that the scheduler is set to
     * @return 1 to budget
     */
    default int eventBudget(Pid process, int budget) {
        return budget;
    }

    /**
     * A step is about to run. What this throws is thrown by the step, which does not run.
     *
     * @param process whose
     * @param events what it gets
     */
    default void beforeStep(Pid process, List<Event> events) {}

    /**
     * A step has returned, and its commands are not yet dispatched. What this throws is thrown by the step.
     *
     * @param process whose
     * @param said what it wants next: IDLE, AWAIT, AGAIN, DONE or UPGRADE
     * @param thrown what it threw, or null
     */
    default void afterStep(Pid process, String said, @Nullable Throwable thrown) {}

    /**
     * A command is about to be given to its handler.
     *
     * @param timeoutNanos how long the process waits at the most, or {@link #NO_TIMEOUT}
     */
    default void yielded(Pid process, Command command, long tag, long timeoutNanos) {}

    /** Returns the commands that {@link #handle} can do the work of, though nobody registered a handler for them. */
    default Set<Class<? extends Command>> standIns() {
        return Set.of();
    }

    /**
     * Does the work of a command, in place of its handler.
     *
     * @param kind how that was registered
     * @param own the handler
     * @throws Exception fails the yield
     */
    default void handle(Command command, ResultReceiver receiver, HandlerKind kind, Handler<Command> own)
            throws Exception {
        own.handle(command, receiver);
    }

    /** Returns whether a message is refused, as if the mailbox were full. */
    default boolean refuses(Pid target, Message message) {
        return false;
    }

    /** A message is in the mailbox. */
    default void sent(Pid target, Message message) {}

    /**
     * Lets one thing happen, anywhere: a scheduler waits for its processes, or a thread for a result.
     *
     * @param untilNanos how far time may move on for it
     * @return false if nothing can happen by then
     */
    default boolean turn(long untilNanos) {
        return false;
    }

    /**
     * Says who directs what the current thread waits for. From then on, to wait for the result of a process or of an ask on
     * this thread takes {@linkplain #turn turns} until it is there, instead of blocking; with a timeout, until that has
     * passed in the director's time and then throws a {@link TimeoutException}.
     *
     * @param director the director, or null if the thread is to block again
     */
    static void ofThisThread(@Nullable Director director) {
        OwnThreads.directed(director);
    }

    /** Returns the time that turns move on, in nanoseconds. */
    default long nanos() {
        return System.nanoTime();
    }
}

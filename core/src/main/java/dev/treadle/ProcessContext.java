// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Delivery;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a process may use while it lives; handed to {@link Process#init}, best kept in a field. */
public interface ProcessContext {
    /** Returns the address of this process. */
    Pid self();

    /** Returns the process that spawned this one, or null if it was submitted from outside. */
    @Nullable
    Pid parent();

    /** Returns the entry point that was asked for. */
    String method();

    /**
     * Sends a message, with this process as its sender. Never blocks; messages to one receiver arrive in order.
     *
     * @param target who gets it
     * @param topic what it is about
     * @param payload the content, or null; must not be modified afterwards
     * @return what became of it
     */
    Delivery send(Pid target, String topic, @Nullable Object payload);

    /**
     * Starts another process on this scheduler, as a child of this one. The child gets this process's attributes.
     *
     * @throws SubmissionRefusedException if the scheduler is stopping or full, or a listener refuses
     * @throws InitFailedException if its {@code init} throws a checked exception; an unchecked one is thrown as it is
     */
    ProcessRef spawn(Process process, String method, @Nullable Object... input);

    /**
     * Starts another process on this scheduler, as a child of this one, with options.
     *
     * @throws SubmissionRefusedException if the scheduler is stopping or full, or a listener refuses
     * @throws InitFailedException if its {@code init} throws a checked exception; an unchecked one is thrown as it is
     */
    ProcessRef spawn(Submission submission);

    /** Returns the clock to use in a process: the real one, or the virtual one of a test. */
    TimeSource time();

    /** Returns random numbers of this process's own, the same in each run from the same seed. Steps only. */
    RandomGenerator random();

    /** Returns the timers of this process: they send messages to it. Init and steps only. */
    ProcessTimers timers();

    /**
     * Replies to a request, that is to a message that {@linkplain Message#isRequest() wants a reply}. In the step that got
     * it or in a later one; once.
     *
     * @param message the request
     * @param payload the content of the reply, or null; must not be modified afterwards
     * @return whether the asker gets it; false if he had a reply before, has given up, or has ended
     * @throws IllegalArgumentException if the message is not a request
     */
    boolean reply(Message message, @Nullable Object payload);

    /**
     * Replies to a request that it failed.
     *
     * @param message the request
     * @param error why
     * @return whether the asker gets it; false if he had a reply before, has given up, or has ended
     * @throws IllegalArgumentException if the message is not a request
     */
    boolean replyError(Message message, Throwable error);

    /**
     * Returns something that whoever built the scheduler offers to its processes.
     *
     * @throws IllegalArgumentException if there is no such thing; the message names what there is
     */
    <T> T service(Class<T> type);

    /** Returns whether this process was asked to end. */
    boolean isCancelled();

    /**
     * Returns what was set at submit or spawn: trace id, tenant, user. Cannot be changed. What the process sends, spawns
     * and yields carries these, with those of the event over them that its step is at.
     */
    Map<String, Object> attributes();

    /** Returns what goes along with what this process does now: its attributes, with those of the event over them. */
    Map<String, Object> carried();
}

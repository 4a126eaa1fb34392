// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import dev.treadle.Pid;
import dev.treadle.Signal;
import dev.treadle.StepHarness.Next;
import dev.treadle.relay.Delivery;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a process, or that it did. What is an {@code Object} here is the payload itself when it is recorded,
 * and a {@link Value} when it was read from a file.
 */
sealed interface Entry {
    /*
     * The life of a process is a row of phases, each with entries of four kinds:
     *
     *   init    Begin                    { Answer | Deed }  Returned | Threw
     *   step    StepBegin  { Received }  { Answer | Deed }  { Yield } StepEnd | Threw
     *   close   CloseBegin               { Answer | Deed }  Returned | Threw
     *
     * Received is what goes in, Answer is what the process was told when it asked, Deed and Yield are what comes out. A phase
     * without an end is one that was cut off: the process was in it when the recording ended, or hangs in it.
     */

    /** What a process gets in a step. */
    sealed interface Received extends Entry {}

    /** What a process does at once, through its context. */
    sealed interface Deed extends Entry {}

    /** The first entry of a life: everything that init was given. */
    record Begin(Pid pid, @Nullable Pid parent, String type, String method, Object input, Object attributes, Instant at)
            implements Entry {}

    /** The beginning of a step, with the number of its first event and how many there are; the pid is for who lacks the beginning. */
    record StepBegin(Pid pid, long step, long firstEvent, int events) implements Entry {}

    record CloseBegin() implements Entry {}

    record MessageIn(
            String topic,
            @Nullable Object payload,
            @Nullable Pid sender,
            boolean isRequest,
            Object attributes) implements Received {}

    record CompletionIn(
            long tag, @Nullable Object data, @Nullable Object error, Object attributes) implements Received {}

    record SignalIn(
            Signal.Kind kind,
            String reason,
            @Nullable Pid from,
            @Nullable Object exit,
            long ref) implements Received {}

    /** What the process was told when it asked for the time, for a random number and the like. */
    record Answer(Question question, long number, @Nullable Object object) implements Entry {}

    record Send(Pid target, String topic, @Nullable Object payload, Delivery delivery) implements Deed {}

    /** A spawn; the child is null if it failed with the error. */
    record Spawn(
            String type,
            String method,
            Object input,
            Object attributes,
            @Nullable Pid child,
            @Nullable Object error) implements Deed {}

    /** A reply to the message that was the process's event of that number; 0 if that is not known. */
    record Reply(
            long event, @Nullable Object payload, @Nullable Object error, boolean accepted) implements Deed {}

    record TimerSet(
            long number,
            boolean periodic,
            long nanos,
            String topic,
            @Nullable Object payload) implements Deed {}

    record TimerCancel(long number) implements Deed {}

    /** A call of the process's NodeContext; it has a result, or an error. */
    record NodeCall(
            String method,
            Object arguments,
            @Nullable Object result,
            @Nullable Object error) implements Deed {}

    record Yield(@Nullable Object command, long tag, long timeoutNanos) implements Entry {}

    record StepEnd(
            Next next,
            @Nullable Object result,
            @Nullable String successor,
            @Nullable String method,
            @Nullable Object input,
            boolean keepsYields)
            implements Entry {}

    record Returned() implements Entry {}

    record Threw(@Nullable Object error) implements Entry {}

    /** An entry that is larger than a record may be: nothing of it is left. */
    record TooLarge(String what) implements Entry {}
}

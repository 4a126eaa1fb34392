// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

/**
 * Something that happened to a process: a {@link Message} arrived, a command has its {@link Completion}, or a {@link
 * Signal} was given. Immutable, and may be kept after the step.
 */
public abstract sealed class Event extends EventNode permits Message, Completion, Signal {
    Event() {}
}

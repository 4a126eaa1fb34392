// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;

/**
 * Something that happened to a process: a {@link Message} arrived, a command has its {@link Completion}, or a {@link
 * Signal} was given. Immutable, and may be kept after the step.
 */
public abstract sealed class Event extends EventNode permits Message, Completion, Signal {
    Event() {}

    /**
     * Returns what goes along with this event: trace id, tenant, user. For a message what its sender carried, for a
     * completion what the process carried when it yielded, for a signal nothing.
     */
    public abstract Map<String, Object> attributes();
}

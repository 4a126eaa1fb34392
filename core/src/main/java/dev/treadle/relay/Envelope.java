// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.relay;

import dev.treadle.Pid;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message with its address, on its way to a process.
 *
 * @param target the process to deliver to
 * @param sender the process that sent it, or null if it comes from outside
 * @param topic what the message is about; chosen by the two who talk
 * @param payload the content, or null; must not be modified after it was sent
 */
public record Envelope(
        Pid target,
        @Nullable Pid sender,
        String topic,
        @Nullable Object payload) {
    /** Checks that target and topic are there. */
    public Envelope {
        Objects.requireNonNull(target, "target is null: an envelope needs the Pid of its receiver");
        Objects.requireNonNull(topic, "topic is null: use an empty string for a message without a topic");
    }

    /** Returns an envelope from outside, with no sender. */
    public static Envelope to(Pid target, String topic, @Nullable Object payload) {
        return new Envelope(target, null, topic, payload);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.relay;

import dev.treadle.Pid;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message with its address, on its way to a process.
 *
 * @param target the process to deliver to
 * @param sender the process that sent it, or null if it comes from outside
 * @param topic what the message is about; chosen by the two who talk
 * @param payload the content, or null; must not be modified after it was sent
 * @param attributes what goes along: trace id, tenant, user
 * @param replyTo who takes the reply if this is a request, or null if it is not
 */
public record Envelope(
        Pid target,
        @Nullable Pid sender,
        String topic,
        @Nullable Object payload,
        Map<String, Object> attributes,
        @Nullable ReplyTo replyTo) {
    /** Checks that target and topic are there, and copies the attributes. */
    public Envelope {
        Objects.requireNonNull(target, "target is null: an envelope needs the Pid of its receiver");
        Objects.requireNonNull(topic, "topic is null: use an empty string for a message without a topic");
        attributes = Map.copyOf(Objects.requireNonNull(attributes, "attributes is null: use Map.of() for none"));
    }

    /** Makes an envelope that carries no attributes and wants no reply. */
    public Envelope(Pid target, @Nullable Pid sender, String topic, @Nullable Object payload) {
        this(target, sender, topic, payload, Map.of(), null);
    }

    /** Returns an envelope from outside, with no sender. */
    public static Envelope to(Pid target, String topic, @Nullable Object payload) {
        return new Envelope(target, null, topic, payload);
    }

    /** Returns this envelope with other attributes. */
    public Envelope withAttributes(Map<String, Object> attributes) {
        return new Envelope(target, sender, topic, payload, attributes, replyTo);
    }
}

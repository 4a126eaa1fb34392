// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message from another process, or from outside. */
public final class Message extends Event {
    private final String topic;
    private final @Nullable Object payload;

    /** Null, a {@link ProcessCell} of this scheduler, the {@link Pid} of a process elsewhere, or an {@link Origin}. */
    private final @Nullable Object from;

    private Message(String topic, @Nullable Object payload, @Nullable Object from) {
        this.topic =
                Objects.requireNonNull(topic, "topic is null: name what the message is about, or use an empty string");
        this.payload = payload;
        this.from = from;
    }

    /** Returns a message from outside, as a unit test of a process needs it. */
    public static Message of(String topic, @Nullable Object payload) {
        return new Message(topic, payload, null);
    }

    /** Returns a message with a sender, as a unit test of a process needs it. */
    public static Message of(String topic, @Nullable Object payload, @Nullable Pid sender) {
        return new Message(topic, payload, sender);
    }

    /** Keeps the sender as a cell: its Pid is made only if somebody asks. */
    static Message from(ProcessCell sender, String topic, @Nullable Object payload) {
        return new Message(topic, payload, sender);
    }

    /** What the sender carries, if it is not its own, comes in the origin. */
    static Message from(Origin origin, String topic, @Nullable Object payload) {
        return new Message(topic, payload, origin);
    }

    /** Returns what the message is about. */
    public String topic() {
        return topic;
    }

    /** Returns the content, or null if there is none. */
    public @Nullable Object payload() {
        return payload;
    }

    /**
     * Returns the content as a type. A primitive type asks for its wrapper.
     *
     * @throws IllegalArgumentException if it is null or of another type; the message says what it was
     */
    public <T> T payload(Class<T> type) {
        return PayloadType.cast(payload, type, () -> "payload of message \"" + topic + "\"");
    }

    /** Returns the process that sent it, or null if it comes from outside. */
    public @Nullable Pid sender() {
        if (from instanceof ProcessCell cell) {
            return cell.self();
        }
        return from instanceof Origin origin ? origin.pid() : (Pid) from;
    }

    /** Returns whether somebody waits for a reply: see {@link ProcessContext#reply}. */
    public boolean isRequest() {
        return from instanceof Request;
    }

    @Override
    public Map<String, Object> attributes() {
        if (from instanceof ProcessCell cell) {
            return cell.attributes();
        }
        return from instanceof Origin origin ? origin.attributes() : Map.of();
    }

    @Nullable
    Origin origin() {
        return from instanceof Origin origin ? origin : null;
    }

    @Override
    public String toString() {
        return "Message[" + topic + ", " + PayloadType.describe(payload)
                + (sender() == null ? "" : ", from " + sender()) + (isRequest() ? ", wants a reply" : "") + "]";
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.relay.Envelope;
import dev.treadle.relay.ReplyTo;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The origin of a message that somebody waits for a reply to. */
abstract class Request implements Origin, ReplyTo, Tracked {
    final String topic;
    private int index = TrackedList.NOWHERE;

    Request(String topic) {
        this.topic = topic;
    }

    /** Any thread. Answers; false if it was answered before, or nobody waits any more. */
    abstract boolean answer(@Nullable Object payload, @Nullable Throwable error);

    @Override
    public final boolean reply(@Nullable Object payload) {
        return answer(payload, null);
    }

    @Override
    public final boolean replyError(Throwable error) {
        return answer(null, Objects.requireNonNull(error, "error is null: say why the request failed, or use reply"));
    }

    @Override
    public final int index() {
        return index;
    }

    @Override
    public final void index(int index) {
        this.index = index;
    }

    /** A request of a process of this scheduler. */
    static final class OfYield extends Request {
        private final YieldInFlight yield;

        OfYield(String topic, YieldInFlight yield) {
            super(topic);
            this.yield = yield;
        }

        @Override
        boolean answer(@Nullable Object payload, @Nullable Throwable error) {
            return yield.completeYield(yield.tag(), payload, error);
        }

        @Override
        public boolean isOver() {
            return !yield.isPending();
        }

        @Override
        public Pid pid() {
            return yield.pid();
        }

        @Override
        public Map<String, Object> attributes() {
            return yield.attributes();
        }
    }

    /** A request that came in an envelope. */
    static final class OfEnvelope extends Request {
        private final ReplyTo replyTo;
        private final @Nullable Pid sender;
        private final Map<String, Object> attributes;
        private volatile boolean answered;

        OfEnvelope(Envelope envelope, ReplyTo replyTo) {
            super(envelope.topic());
            this.replyTo = replyTo;
            this.sender = envelope.sender();
            this.attributes = envelope.attributes();
        }

        @Override
        boolean answer(@Nullable Object payload, @Nullable Throwable error) {
            answered = true;
            return error == null ? replyTo.reply(payload) : replyTo.replyError(error);
        }

        @Override
        public boolean isOver() {
            return answered || (replyTo instanceof Request request && request.isOver());
        }

        @Override
        public @Nullable Pid pid() {
            return sender;
        }

        @Override
        public Map<String, Object> attributes() {
            return attributes;
        }
    }
}

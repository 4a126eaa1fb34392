// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.relay;

import org.jspecify.annotations.Nullable;

/** Takes the reply to a request, from any thread, once. A later one is ignored and counted. */
public interface ReplyTo {
    /**
     * Replies.
     *
     * @param payload the content, or null; must not be modified afterwards
     * @return whether this was the reply that counts; false if there was one before, or nobody waits any more
     */
    boolean reply(@Nullable Object payload);

    /**
     * Replies that the request failed.
     *
     * @param error why
     * @return whether this was the reply that counts
     */
    boolean replyError(Throwable error);
}

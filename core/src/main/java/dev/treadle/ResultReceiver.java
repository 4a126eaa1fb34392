// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the answer to one command, from any thread, once. A second answer is ignored and counted; so is one that comes
 * after the process has ended, or after the yield has timed out.
 */
public interface ResultReceiver {
    /** Returns the process that waits for the answer. */
    Pid pid();

    /** Returns the tag that the process gave the command. */
    long tag();

    /** Returns the attributes of the process that waits: its trace id, tenant, user. */
    Map<String, Object> attributes();

    /**
     * Answers. Returns whether this was the answer that counts.
     *
     * @param tag the tag of the command, as in {@link #tag()}
     * @param data the result, if error is null
     * @param error why it failed, or null
     * @throws IllegalArgumentException if the tag is not that of this command
     */
    boolean completeYield(long tag, @Nullable Object data, @Nullable Throwable error);

    /** Answers with a result. Returns whether this was the answer that counts. */
    default boolean complete(@Nullable Object data) {
        return completeYield(tag(), data, null);
    }

    /** Answers with an error. Returns whether this was the answer that counts. */
    default boolean fail(Throwable error) {
        Objects.requireNonNull(error, "error is null: say why it failed, or use complete");
        return completeYield(tag(), null, error);
    }

    /**
     * Asks to be told when nobody wants the answer any more: the process has ended or was cancelled, or the yield has
     * timed out. Runs at once if that is so already, and never if the yield was answered first. One action per yield: a
     * later one replaces the one before.
     *
     * @param action stops the work; must be quick
     */
    void onCancel(Runnable action);

    /** Returns whether nobody wants the answer any more. */
    boolean isCancelled();
}

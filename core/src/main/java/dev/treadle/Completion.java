// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to a command: its result, or why it failed. Every yield gets exactly one. */
public abstract sealed class Completion extends Event permits YieldInFlight, FunctionAnswer, Completion.Given {
    private final long tag;

    Completion(long tag) {
        this.tag = tag;
    }

    /** Returns a completion, as a unit test of a process needs it. */
    public static Completion of(long tag, @Nullable Object data, @Nullable Throwable error) {
        return new Given(tag, data, error, Map.of());
    }

    /** Returns the tag that the process gave the command. */
    public final long tag() {
        return tag;
    }

    /** Returns the result, or null if the command failed or has none. */
    public abstract @Nullable Object data();

    /** Returns why the command failed, or null if it did not. */
    public abstract @Nullable Throwable error();

    /** Returns whether the command failed. */
    public final boolean isFailed() {
        return error() != null;
    }

    /**
     * Returns the result as a type. A primitive type asks for its wrapper.
     *
     * @throws IllegalStateException if the command failed; the cause is its error
     * @throws IllegalArgumentException if the result is null or of another type; the message says what it was
     */
    public final <T> T data(Class<T> type) {
        Throwable error = error();
        if (error != null) {
            throw new IllegalStateException(
                    "command with tag " + tag + " failed and has no result: look at error() before data()", error);
        }
        return PayloadType.cast(data(), type, () -> "result of the command with tag " + tag);
    }

    @Override
    public final String toString() {
        Throwable error = error();
        return "Completion[" + tag + ", "
                + (error == null
                        ? PayloadType.describe(data())
                        : "failed with " + error.getClass().getTypeName())
                + "]";
    }

    /** A completion without a yield. */
    static final class Given extends Completion {
        private final @Nullable Object data;
        private final @Nullable Throwable error;
        private final Map<String, Object> attributes;

        Given(long tag, @Nullable Object data, @Nullable Throwable error, Map<String, Object> attributes) {
            super(tag);
            this.data = data;
            this.error = error;
            this.attributes = attributes;
        }

        @Override
        public Map<String, Object> attributes() {
            return attributes;
        }

        @Override
        public @Nullable Object data() {
            return data;
        }

        @Override
        public @Nullable Throwable error() {
            return error;
        }
    }
}

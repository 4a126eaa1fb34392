// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a function returned or threw, for a process that gets it with its very next step. Nobody else ever has it to answer,
 * nothing can cancel it, and it is in no list: so it is half as large as a {@link YieldInFlight}.
 */
final class FunctionAnswer extends Completion {
    /** The result, or a {@link Failure}. */
    private final @Nullable Object answer;

    FunctionAnswer(long tag, @Nullable Object data, @Nullable Throwable error) {
        super(tag);
        this.answer = error == null ? data : new Failure(error);
    }

    /** The same for a process that gets it later, and may have ended or been upgraded by then. */
    YieldInFlight inFlight(ProcessCell cell) {
        return new YieldInFlight(cell, tag(), attributes(), data(), error());
    }

    @Override
    public Map<String, Object> attributes() {
        return Map.of();
    }

    @Override
    public @Nullable Object data() {
        return answer instanceof Failure ? null : answer;
    }

    @Override
    public @Nullable Throwable error() {
        return answer instanceof Failure failure ? failure.error : null;
    }

    private record Failure(Throwable error) {}
}

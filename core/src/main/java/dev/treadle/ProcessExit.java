// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;

/**
 * How a process ended.
 *
 * @param pid the process
 * @param kind in which way
 * @param result what it was done with; null if it said none, or did not end that way
 * @param reason what it threw, or a {@link ProcessTerminatedException}; null if it was done
 */
public record ProcessExit(
        Pid pid,
        Kind kind,
        @Nullable Object result,
        @Nullable Throwable reason) implements Outcome {
    /** In which way a process ended. */
    public enum Kind {
        /** It said {@link StepOutput#done}. */
        DONE,
        /** Its step, or the init of its upgrade, threw. */
        FAILED,
        /** It was ended by force. */
        TERMINATED
    }

    static ProcessExit done(Pid pid, @Nullable Object result) {
        return new ProcessExit(pid, Kind.DONE, result, null);
    }

    static ProcessExit failed(Pid pid, Throwable reason) {
        return new ProcessExit(pid, Kind.FAILED, null, reason);
    }

    static ProcessExit terminated(Pid pid, String reason) {
        return new ProcessExit(pid, Kind.TERMINATED, null, new ProcessTerminatedException(reason));
    }

    /** Returns whether the process ended by saying {@link StepOutput#done}. */
    public boolean isDone() {
        return kind == Kind.DONE;
    }

    @Override
    public String toString() {
        Throwable reason = this.reason;
        return switch (kind) {
            case DONE -> "process " + pid + " was done with " + PayloadType.describe(result);
            case FAILED ->
                "process " + pid + " failed"
                        + (reason == null ? "" : " with " + reason.getClass().getTypeName());
            case TERMINATED ->
                "process " + pid + " was terminated" + (reason == null ? "" : ": " + reason.getMessage());
        };
    }
}

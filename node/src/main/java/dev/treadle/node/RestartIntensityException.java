// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The exit reason of a supervisor that had to restart its children too often. Its cause is what ended the last one. */
public final class RestartIntensityException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String childId;

    RestartIntensityException(Pid self, String childId, int intensity, Duration period, @Nullable Throwable cause) {
        super(
                "supervisor " + self + " would have restarted a child " + (intensity + 1) + " times within " + period
                        + ", at most " + intensity + " are allowed; the last was \"" + childId
                        + "\": see the cause, or raise its intensity",
                cause);
        this.childId = childId;
    }

    /** Returns the child whose end was one too many. */
    public String childId() {
        return childId;
    }
}

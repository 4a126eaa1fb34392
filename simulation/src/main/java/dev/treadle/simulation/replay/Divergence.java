// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first thing that the code did otherwise than when it was recorded.
 *
 * @param event the number of the event that the process was at, from 1; 0 if it had none yet
 * @param step the number of the step, from 1; 0 in {@code init}
 * @param at where that was, in words
 * @param expected what was recorded
 * @param actual what happened now
 * @param before the events before it, the latest last
 * @param thrown what was thrown now, or null
 */
public record Divergence(
        long event,
        long step,
        String at,
        String expected,
        String actual,
        List<String> before,
        @Nullable Throwable thrown) {
    /** Copies the events. */
    public Divergence {
        before = List.copyOf(before);
    }
}

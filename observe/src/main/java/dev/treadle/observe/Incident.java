// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Pid;
import java.time.Instant;
import java.util.List;

/**
 * Something that went wrong with a process, in words: nothing of the user's objects is kept.
 *
 * @param time when
 * @param pid the process; of a message that nobody got, the one it was for
 * @param what what happened, in a line
 * @param details more lines: a stack, what a message held
 */
public record Incident(Instant time, Pid pid, String what, List<String> details) {
    /** Copies the list. */
    public Incident {
        details = List.copyOf(details);
    }
}

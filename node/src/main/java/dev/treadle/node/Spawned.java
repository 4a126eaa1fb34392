// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessRef;
import org.jspecify.annotations.Nullable;

/**
 * What became of a {@link Spawn}.
 *
 * @param ref the process: the one that was started, or the one that has the name
 * @param isNew whether it was started now
 * @param monitor the monitor that was asked for, or null
 */
public record Spawned(
        ProcessRef ref, boolean isNew, @Nullable Monitor monitor) {
    /** Returns the address of the process. */
    public Pid pid() {
        return ref.pid();
    }
}

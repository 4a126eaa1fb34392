// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What others have to do with one process. Touched only inside of {@link RelationTable}'s compute, or after removal; what is
 * volatile may be read at any time.
 */
final class Relations {
    final Set<Pid> links = new LinkedHashSet<>();
    final Map<Long, Monitor> monitors = new LinkedHashMap<>();
    final Set<String> names = new LinkedHashSet<>();
    final Set<String> groups = new LinkedHashSet<>();
    final Set<String> watchedGroups = new LinkedHashSet<>();
    volatile boolean traps;

    /** Whether its process is being started, and cannot be told anything yet. */
    volatile boolean starting;

    /** How a linked process ended while this one was being started, or null: it is told when it has started. */
    @Nullable
    ProcessExit missed;

    /** Whether it is to be upgraded when it has started. */
    boolean upgradeDue;

    /** The definition that it was started by, or null. */
    @Nullable
    Defined definition;

    boolean isEmpty() {
        return links.isEmpty()
                && monitors.isEmpty()
                && names.isEmpty()
                && groups.isEmpty()
                && watchedGroups.isEmpty()
                && !traps
                && !starting
                && definition == null;
    }
}

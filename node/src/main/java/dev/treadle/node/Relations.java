// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What others have to do with one process. Touched only inside of {@link RelationTable}'s compute, or after removal. */
final class Relations {
    final Set<Pid> links = new LinkedHashSet<>();
    final Map<Long, Monitor> monitors = new LinkedHashMap<>();
    final Set<String> names = new LinkedHashSet<>();
    final Set<String> groups = new LinkedHashSet<>();
    final Set<String> watchedGroups = new LinkedHashSet<>();
    boolean traps;

    /** The name of the definition that it was started by, or null. */
    @Nullable
    String definition;

    boolean isEmpty() {
        return links.isEmpty()
                && monitors.isEmpty()
                && names.isEmpty()
                && groups.isEmpty()
                && watchedGroups.isEmpty()
                && !traps
                && definition == null;
    }
}

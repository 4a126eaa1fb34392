// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import dev.treadle.Pid;
import java.util.List;
import java.util.Set;

/**
 * What others had to do with a process at a moment: see {@link Node#relations}.
 *
 * @param names its names
 * @param groups the groups it is a member of
 * @param links the processes it is linked to
 * @param monitors who is told of its end; a process that watches it twice is there twice
 * @param trapsExits whether it is told of the end of those it is linked to, instead of ending too
 */
public record ProcessRelations(
        Set<String> names, Set<String> groups, Set<Pid> links, List<Monitor> monitors, boolean trapsExits) {
    static final ProcessRelations NONE = new ProcessRelations(Set.of(), Set.of(), Set.of(), List.of(), false);

    /** Copies all. */
    public ProcessRelations {
        names = Set.copyOf(names);
        groups = Set.copyOf(groups);
        links = Set.copyOf(links);
        monitors = List.copyOf(monitors);
    }

    /** Inside of {@link RelationTable}'s compute. */
    static ProcessRelations of(Relations relations) {
        return new ProcessRelations(
                relations.names,
                relations.groups,
                relations.links,
                List.copyOf(relations.monitors.values()),
                relations.traps);
    }
}

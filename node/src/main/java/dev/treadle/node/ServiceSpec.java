// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A part of a program that a node starts with, and stops at its end: see {@link NodeBuilder#service}. Immutable: each method
 * returns a changed copy.
 *
 * <pre>{@code
 * Node.builder()
 *         .service(ServiceSpec.of("database", Spawn.of(Database::new)))
 *         .service(ServiceSpec.of("web", Spawn.of(Web::new)).requires("database"))
 *         .start();
 * }</pre>
 */
public final class ServiceSpec {
    private final String id;
    private final ChildSpec child;
    private final Set<String> requires;

    private ServiceSpec(String id, ChildSpec child, Set<String> requires) {
        this.id = id;
        this.child = child;
        this.requires = requires;
    }

    /**
     * Returns a service that is one process, with a supervisor of its own that restarts it.
     *
     * @param id the name that others require it by
     * @param spawn how it is started
     */
    public static ServiceSpec of(String id, Spawn spawn) {
        return of(id, SupervisorSpec.oneForOne().child(id, spawn));
    }

    /**
     * Returns a service that is a supervisor and its children. It has started when they have.
     *
     * @param id the name that others require it by
     * @param spec the supervisor
     */
    public static ServiceSpec of(String id, SupervisorSpec spec) {
        return new ServiceSpec(id, ChildSpec.supervisor(id, spec), Set.of());
    }

    /** Says that it is started after these, and stopped before them. */
    public ServiceSpec requires(String... ids) {
        Objects.requireNonNull(ids, "ids is null: name the services that it requires");
        var more = new LinkedHashSet<>(requires);
        for (String required : ids) {
            more.add(ChildSpec.checkId(required));
        }
        return new ServiceSpec(id, child, more);
    }

    /** Returns the name that others require it by. */
    public String id() {
        return id;
    }

    /** Returns what it requires. */
    public Collection<String> requires() {
        return List.copyOf(requires);
    }

    ChildSpec child() {
        return child;
    }

    @Override
    public String toString() {
        return "ServiceSpec[" + id + (requires.isEmpty() ? "" : ", requires " + requires) + "]";
    }
}

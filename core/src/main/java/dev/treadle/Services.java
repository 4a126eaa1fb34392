// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** What whoever built a scheduler offers to its processes, by type. Immutable. */
final class Services {
    static final Services NONE = new Services(Map.of());

    private final Map<Class<?>, Object> byType;

    private Services(Map<Class<?>, Object> byType) {
        this.byType = byType;
    }

    <T> Services with(Class<T> type, T service) {
        Objects.requireNonNull(type, "type is null: give the class by which processes ask for it");
        Objects.requireNonNull(service, () -> "service of " + type.getTypeName() + " is null: leave it out");
        var more = new LinkedHashMap<>(byType);
        more.put(type, service);
        return new Services(more);
    }

    <T> T find(Class<T> type, String scheduler) {
        Objects.requireNonNull(type, "type is null: give the class of the service");
        Object service = byType.get(type);
        if (service == null) {
            var known = new TreeSet<String>();
            byType.keySet().forEach(each -> known.add(each.getTypeName()));
            throw new IllegalArgumentException("service " + type.getTypeName() + " is not known to scheduler \""
                    + scheduler + "\", which has " + (known.isEmpty() ? "none" : known)
                    + ": give it to SchedulerBuilder.service");
        }
        return type.cast(service);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.node;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts services in the order in which they can be started: those that require nothing first, then those that require them. */
final class ServiceOrder {
    private final Map<String, ServiceSpec> byId = new LinkedHashMap<>();
    private final Map<String, Integer> waves = new HashMap<>();

    private ServiceOrder(Collection<ServiceSpec> services) {
        for (ServiceSpec service : services) {
            if (byId.putIfAbsent(service.id(), service) != null) {
                throw new IllegalArgumentException(
                        "service \"" + service.id() + "\" was added twice, must be added once to a node: rename one");
            }
        }
    }

    /**
     * Returns the services wave by wave: each requires only services of earlier waves.
     *
     * @throws IllegalArgumentException if one is there twice, requires one that is not, or requires itself in the end
     */
    static List<List<ServiceSpec>> waves(Collection<ServiceSpec> services) {
        var order = new ServiceOrder(services);
        List<List<ServiceSpec>> waves = new ArrayList<>();
        for (ServiceSpec service : services) {
            int wave = order.waveOf(service, new ArrayList<>());
            while (waves.size() <= wave) {
                waves.add(new ArrayList<>());
            }
            waves.get(wave).add(service);
        }
        return waves;
    }

    private int waveOf(ServiceSpec service, List<String> path) {
        Integer known = waves.get(service.id());
        if (known != null) {
            return known;
        }
        int first = path.indexOf(service.id());
        path.add(service.id());
        if (first >= 0) {
            throw new IllegalArgumentException("services require each other in a circle, so none can be first: "
                    + String.join(" requires ", path.subList(first, path.size())) + "; leave one of these out");
        }
        int wave = 0;
        for (String id : service.requires()) {
            ServiceSpec required = byId.get(id);
            if (required == null) {
                throw new IllegalArgumentException("service \"" + service.id() + "\" requires \"" + id
                        + "\", which is none of " + byId.keySet() + ": add it to the node, or leave it out");
            }
            wave = Math.max(wave, waveOf(required, path) + 1);
        }
        path.remove(path.size() - 1);
        waves.put(service.id(), wave);
        return wave;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.HashMap;
import java.util.Map;

/** The attributes of processes: small maps that cannot be changed. */
final class Attributes {
    private Attributes() {}

    /** Returns those of a parent with those of its child over them, as far as they let, without a copy where one of the two is empty. */
    static Map<String, Object> merge(Map<String, Object> parents, Map<String, Object> own) {
        if (own.isEmpty() || own == parents) {
            return parents;
        }
        if (parents.isEmpty()) {
            return own;
        }
        var merged = new HashMap<>(parents);
        own.forEach((name, value) -> merged.merge(
                name,
                value,
                (beneath, over) -> beneath instanceof BoundingAttribute bounding ? bounding.bound(over) : over));
        return Map.copyOf(merged);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import java.io.ObjectInputFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Says which classes may be made from a recording. A file may come from anywhere, and to make an object is to run code; so
 * values of the JDK and of ours may, and of the rest only what the caller names. Immutable.
 */
final class TypeFilter {
    private static final int DEPTH_MAX = 64;
    private static final int ARRAY_LENGTH_MAX = 1 << 20;
    private static final int REFERENCES_MAX = 1 << 20;

    private static final List<String> ALWAYS = List.of(
            "java.lang.*",
            "java.math.*",
            "java.time.**",
            "java.util.*",
            "java.util.concurrent.*",
            "java.util.concurrent.atomic.*",
            "java.net.URI",
            "java.net.InetAddress",
            "java.net.Inet4Address",
            "java.net.Inet6Address",
            "dev.treadle.**");

    /** As they stand in the names of arrays. */
    private static final String PRIMITIVES = "ZBCSIJFD";

    static final TypeFilter DEFAULT = new TypeFilter(ALWAYS);

    private final List<String> patterns;

    private TypeFilter(List<String> patterns) {
        this.patterns = List.copyOf(patterns);
    }

    /**
     * Returns this with more allowed.
     *
     * @param pattern a class, {@code com.acme.*} for a package, or {@code com.acme.**} for all below it
     */
    TypeFilter allow(String pattern) {
        Objects.requireNonNull(pattern, "pattern is null: give a class, or a package such as \"com.acme.**\"");
        String name = pattern.endsWith(".**")
                ? pattern.substring(0, pattern.length() - 3)
                : pattern.endsWith(".*") ? pattern.substring(0, pattern.length() - 2) : pattern;
        if (name.isEmpty() || !name.chars().allMatch(c -> c == '.' || Character.isJavaIdentifierPart(c))) {
            throw new IllegalArgumentException(
                    "pattern was \"" + pattern
                            + "\", must be the name of a class or end in .* or .**: use \"com.acme.**\" for all below com.acme");
        }
        var more = new ArrayList<>(patterns);
        more.add(pattern);
        return new TypeFilter(more);
    }

    /** Whether objects of a class may be made; of an array, if its elements may. */
    boolean allows(String name) {
        String element = name.substring(name.lastIndexOf('[') + 1);
        boolean isArray = element.length() < name.length();
        if (isArray && element.length() == 1 && PRIMITIVES.contains(element)) {
            return true;
        } else if (isArray && (!element.startsWith("L") || !element.endsWith(";"))) {
            return false; // no name that a class has
        }
        String type = isArray ? element.substring(1, element.length() - 1) : name;
        boolean throwableOfJdk = type.startsWith("java.") && (type.endsWith("Exception") || type.endsWith("Error"));
        return throwableOfJdk || patterns.stream().anyMatch(pattern -> matches(pattern, type));
    }

    private static boolean matches(String pattern, String type) {
        if (pattern.endsWith(".**")) {
            return type.startsWith(pattern.substring(0, pattern.length() - 2));
        }
        if (pattern.endsWith(".*")) {
            int dot = type.lastIndexOf('.');
            return dot == pattern.length() - 2 && type.startsWith(pattern.substring(0, dot + 1));
        }
        return type.equals(pattern) || type.startsWith(pattern + "$");
    }

    /** The same for Java serialization, with bounds on what a stream may make. */
    ObjectInputFilter.Status check(ObjectInputFilter.FilterInfo info) {
        if (info.depth() > DEPTH_MAX || info.references() > REFERENCES_MAX || info.arrayLength() > ARRAY_LENGTH_MAX) {
            return ObjectInputFilter.Status.REJECTED;
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return ObjectInputFilter.Status.UNDECIDED;
        }
        while (type.isArray()) {
            type = type.getComponentType();
        }
        return type.isPrimitive() || allows(type.getName())
                ? ObjectInputFilter.Status.ALLOWED
                : ObjectInputFilter.Status.REJECTED;
    }
}

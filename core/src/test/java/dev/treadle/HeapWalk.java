// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.openjdk.jol.util.ObjectUtils;

/**
 * Follows all strong references from an object, to tell whether it still holds something, and by which way.
 *
 * <p>Threads, classes and class loaders are not followed: they lead to the whole JVM. Fields of the JDK's own classes are
 * read by JOL, as reflection may not.
 */
final class HeapWalk {
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Step> open = new ArrayDeque<>();

    /** An object, and how it was reached. */
    private record Step(Object object, String name, Step from) {
        String path() {
            var names = new ArrayList<String>();
            for (Step step = this; step != null; step = step.from) {
                names.add(0, step.name);
            }
            return String.join(" -> ", names);
        }
    }

    private HeapWalk() {}

    /** Returns the way to the nearest object that is wanted, in words; nothing if there is none. */
    static Optional<String> find(Object root, Predicate<Object> wanted) {
        var walk = new HeapWalk();
        walk.reach(root, root.getClass().getSimpleName(), null);
        while (!walk.open.isEmpty()) {
            Step step = walk.open.poll();
            if (wanted.test(step.object)) {
                return Optional.of(step.path());
            }
            walk.follow(step);
        }
        return Optional.empty();
    }

    /** Returns the objects that an object refers to itself, but for those that are not followed. */
    static List<Object> neighbours(Object object) {
        var walk = new HeapWalk();
        walk.follow(new Step(object, "", null));
        return walk.open.stream().map(Step::object).toList();
    }

    private void reach(Object object, String name, Step from) {
        if (object != null && !isEnd(object) && seen.add(object)) {
            open.add(new Step(object, name, from));
        }
    }

    private static boolean isEnd(Object object) {
        return object instanceof Thread
                || object instanceof ThreadGroup
                || object instanceof Class
                || object instanceof ClassLoader
                || object instanceof Reference
                || object instanceof String
                || object instanceof Number
                || object instanceof Boolean;
    }

    private void follow(Step step) {
        Class<?> type = step.object.getClass();
        if (type.isArray()) {
            if (!type.getComponentType().isPrimitive()) {
                for (int i = 0; i < Array.getLength(step.object); i++) {
                    reach(Array.get(step.object, i), "[" + i + "]", step);
                }
            }
            return;
        }
        for (Field field : fields(type)) {
            String name = field.getName() + " (" + type.getSimpleName() + ")";
            reach(value(field, step.object), name, step);
        }
    }

    private static List<Field> fields(Class<?> type) {
        var fields = new ArrayList<Field>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    private static Object value(Field field, Object object) {
        if (!field.trySetAccessible()) {
            return ObjectUtils.value(object, field);
        }
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}

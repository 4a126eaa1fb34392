// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import dev.treadle.Pid;
import dev.treadle.ProcessExit;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Shows values as text that is the same in every run: what would show an identity or an order by hash is not shown. */
final class Render {
    private static final int LENGTH_MAX = 100;
    private static final int DEPTH_MAX = 3;

    private Render() {}

    static String value(@Nullable Object value) {
        String text = value(value, 0).replace('\n', ' ').replace('\r', ' ');
        return text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX - 1) + "…";
    }

    private static String value(@Nullable Object value, int depth) {
        if (value == null
                || value instanceof String
                || value instanceof Number
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof Pid
                || value instanceof Duration
                || value instanceof Instant
                || value instanceof UUID) {
            return String.valueOf(value);
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof Throwable thrown) {
            return error(thrown);
        }
        if (value instanceof Class<?> type) {
            return name(type);
        }
        if (depth == DEPTH_MAX) {
            return name(value.getClass());
        }
        if (value instanceof ProcessExit exit) {
            return exit.kind().name();
        }
        if (value instanceof Record) {
            return record(value, depth);
        }
        if (value instanceof Optional<?> optional) {
            return optional.map(held -> value(held, depth + 1)).orElse("empty");
        }
        if (value instanceof Map<?, ?> map) {
            var entries = new ArrayList<String>();
            map.forEach((key, held) -> entries.add(value(key, depth + 1) + "=" + value(held, depth + 1)));
            entries.sort(null);
            return "{" + String.join(", ", entries) + "}";
        }
        if (value instanceof Collection<?> collection) {
            var items = new ArrayList<String>();
            collection.forEach(item -> items.add(value(item, depth + 1)));
            if (value instanceof Set<?>) {
                items.sort(null);
            }
            return "[" + String.join(", ", items) + "]";
        }
        if (value.getClass().isArray()) {
            var items = new ArrayList<String>();
            for (int i = 0; i < Array.getLength(value); i++) {
                items.add(value(Array.get(value, i), depth + 1));
            }
            return "[" + String.join(", ", items) + "]";
        }
        return name(value.getClass());
    }

    private static String record(Object value, int depth) {
        var parts = new ArrayList<String>();
        try {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                var accessor = component.getAccessor();
                if (!accessor.trySetAccessible()) {
                    return name(value.getClass()); // of a module that keeps it to itself
                }
                parts.add(value(accessor.invoke(value), depth + 1));
            }
        } catch (ReflectiveOperationException e) {
            return name(value.getClass());
        }
        return name(value.getClass()) + "(" + String.join(", ", parts) + ")";
    }

    static String error(Throwable thrown) {
        String message = thrown.getMessage();
        return name(thrown.getClass()) + (message == null ? "" : ": " + message);
    }

    /** The simple name; of a lambda that of the class it stands in, as its own has an address in it. */
    static String name(Class<?> type) {
        return name(type.getTypeName());
    }

    static String name(String typeName) {
        int lambda = typeName.indexOf("$$Lambda");
        String known = lambda < 0 ? typeName : typeName.substring(0, lambda);
        String simple = known.substring(known.lastIndexOf('.') + 1);
        String inner = simple.substring(simple.lastIndexOf('$') + 1);
        return (inner.isEmpty() || Character.isDigit(inner.charAt(0)) ? simple : inner) + (lambda < 0 ? "" : " lambda");
    }
}

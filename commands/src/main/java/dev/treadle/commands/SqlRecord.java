// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of one type from rows with certain columns.
 *
 * @param <R> the record
 */
final class SqlRecord<R extends Record> {
    private final Class<R> type;
    private final List<String> columns;
    private final RecordComponent[] components;
    private final int[] columnOf;
    private final Constructor<R> constructor;

    private SqlRecord(Class<R> type, List<String> columns) {
        this.type = type;
        this.columns = columns;
        components = type.getRecordComponents();
        columnOf = Arrays.stream(components).mapToInt(this::column).toArray();
        constructor = constructor();
    }

    static <R extends Record> SqlRecord<R> of(Class<R> type, List<String> columns) {
        return new SqlRecord<>(type, columns);
    }

    private int column(RecordComponent component) {
        String wanted = plain(component.getName());
        for (int i = 0; i < columns.size(); i++) {
            if (plain(columns.get(i)).equals(wanted)) {
                return i;
            }
        }
        throw new IllegalArgumentException("component " + component.getName() + " of record " + type.getTypeName()
                + " has no column, the result has " + columns + ": select it, or name a column so with \"as\"");
    }

    private static String plain(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    private Constructor<R> constructor() {
        try {
            Constructor<R> found = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            found.setAccessible(true);
            return found;
        } catch (NoSuchMethodException e) {
            throw new AssertionError("a record has its canonical constructor", e);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "record " + type.getTypeName() + " cannot be made, its module keeps its package closed:"
                            + " add \"opens " + type.getPackageName() + " to dev.treadle.commands;\" to module-info",
                    e);
        }
    }

    R make(List<@Nullable Object> row) {
        @Nullable Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            arguments[i] = convert(row.get(columnOf[i]), components[i]);
        }
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "record " + type.getTypeName() + " refused a row (" + e.getCause()
                            + "): select rows that it takes, or let it take them",
                    e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("record " + type.getTypeName() + " cannot be made: " + e, e);
        }
    }

    private @Nullable Object convert(@Nullable Object value, RecordComponent component) {
        Class<?> wanted = component.getType();
        if (value == null) {
            if (wanted.isPrimitive()) {
                throw refused("null", component, "use its wrapper type, or coalesce in the query", null);
            }
            return null;
        }
        Object converted;
        try {
            converted = convert(value, wanted);
        } catch (ArithmeticException | IllegalArgumentException e) {
            throw refused(value.getClass().getTypeName() + " that does not fit", component, "use a wider type", e);
        }
        if (converted == null) {
            throw refused(value.getClass().getTypeName(), component, "use that type, or cast in the query", null);
        }
        return converted;
    }

    private IllegalArgumentException refused(
            String was, RecordComponent component, String remedy, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "column for component " + component.getName() + " of record " + type.getTypeName() + " was " + was
                        + ", must be " + component.getType().getTypeName() + ": " + remedy,
                cause);
    }

    /** Returns null if the value cannot be made that type. */
    private static @Nullable Object convert(Object value, Class<?> wanted) {
        if (wanted.isInstance(value) || (wanted == boolean.class && value instanceof Boolean)) {
            return value;
        }
        if (value instanceof Number number) {
            return number(number, wanted);
        }
        if (value instanceof String text) {
            return text(text, wanted);
        }
        if (value instanceof OffsetDateTime time && wanted == Instant.class) {
            return time.toInstant();
        }
        if (value instanceof LocalDateTime time && wanted == LocalDate.class) {
            return time.toLocalDate();
        }
        return value instanceof Bytes bytes && wanted == byte[].class ? bytes.toArray() : null;
    }

    private static @Nullable Object text(String text, Class<?> wanted) {
        if (wanted == UUID.class) {
            return UUID.fromString(text);
        }
        if (wanted.isEnum()) {
            for (Object constant : wanted.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(text)) {
                    return constant;
                }
            }
        }
        return (wanted == char.class || wanted == Character.class) && text.length() == 1 ? text.charAt(0) : null;
    }

    private static @Nullable Object number(Number number, Class<?> wanted) {
        if (wanted == double.class || wanted == Double.class) {
            return number.doubleValue();
        }
        if (wanted == float.class || wanted == Float.class) {
            return number.floatValue();
        }
        var exact = new BigDecimal(number.toString());
        if (wanted == long.class || wanted == Long.class) {
            return exact.longValueExact();
        }
        if (wanted == int.class || wanted == Integer.class) {
            return exact.intValueExact();
        }
        if (wanted == short.class || wanted == Short.class) {
            return exact.shortValueExact();
        }
        if (wanted == byte.class || wanted == Byte.class) {
            return exact.byteValueExact();
        }
        if (wanted == BigInteger.class) {
            return exact.toBigIntegerExact();
        }
        return wanted == BigDecimal.class ? exact : null;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Casts payloads, with an error that says what was there instead. */
final class PayloadType {
    private PayloadType() {}

    static <T> T cast(@Nullable Object value, Class<T> type, Supplier<String> name) {
        Objects.requireNonNull(type, "type is null: pass the class that is expected, such as String.class");
        Class<?> wanted =
                type.isPrimitive() ? MethodType.methodType(type).wrap().returnType() : type;
        if (wanted.isInstance(value)) {
            @SuppressWarnings("unchecked") // for a primitive class, T is its wrapper
            T cast = (T) value;
            return cast;
        }
        throw new IllegalArgumentException(name.get() + " was " + describe(value) + ", must be a "
                + wanted.getTypeName() + ": pass that type, or ask for the one that was passed");
    }

    /** Describes a value of the user's by its class, and by its text where that is short and cannot fail. */
    static String describe(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        String type = value.getClass().getTypeName();
        if (value instanceof Number || value instanceof Boolean || value instanceof Character) {
            return type + " " + value;
        }
        if (value instanceof String text) {
            return type + " \"" + (text.length() <= 40 ? text : text.substring(0, 40) + "…") + "\"";
        }
        return type;
    }
}

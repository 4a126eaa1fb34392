// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a process, in order. Immutable; the arguments themselves should be too.
 *
 * <pre>{@code
 * String name = input.get(0, String.class);
 * int limit = input.size() > 1 ? input.get(1, Integer.class) : 100;
 * }</pre>
 */
public final class Payloads {
    private static final Payloads EMPTY = new Payloads(new Object[0]);

    private final @Nullable Object[] values;

    private Payloads(@Nullable Object[] values) {
        this.values = values;
    }

    /** Returns no arguments. */
    public static Payloads empty() {
        return EMPTY;
    }

    /** Returns these arguments. */
    public static Payloads of(@Nullable Object... values) {
        Objects.requireNonNull(values, "the array of arguments is null: leave it out to pass none");
        return values.length == 0 ? EMPTY : new Payloads(values.clone());
    }

    /** Returns how many arguments there are. */
    public int size() {
        return values.length;
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return values.length == 0;
    }

    /**
     * Returns an argument as a type. A primitive type asks for its wrapper.
     *
     * @param index which one, from 0
     * @param type what it must be
     * @throws IllegalArgumentException if there is no such argument, or it is null or of another type; the message says
     *     which argument, what it was and what was expected
     */
    public <T> T get(int index, Class<T> type) {
        Object value = get(index);
        return PayloadType.cast(value, type, () -> "argument " + index + " of " + values.length);
    }

    /**
     * Returns an argument as it is.
     *
     * @param index which one, from 0
     * @throws IllegalArgumentException if there is no such argument
     */
    public @Nullable Object get(int index) {
        if (index < 0 || index >= values.length) {
            throw new IllegalArgumentException("argument " + index + " was asked for, but "
                    + (values.length == 0 ? "none were given" : "only 0 to " + (values.length - 1) + " were given")
                    + ": pass it to submit or spawn, after the method");
        }
        return values[index];
    }

    /** Returns the arguments as a list that cannot be changed. */
    public List<@Nullable Object> asList() {
        return java.util.Collections.unmodifiableList(Arrays.asList(values));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Payloads that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}

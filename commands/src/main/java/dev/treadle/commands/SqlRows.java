// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a result, free of the connection that they came from.
 *
 * <p>Values are plain Java: numbers, strings, booleans, {@code java.time} values, UUIDs, {@link Bytes} for binary data, lists
 * for arrays, and the text of what only the driver knows.
 *
 * @param columns the labels of the columns, in order
 * @param rows the values, row by row; they may be null
 * @param isLast whether no more rows follow
 */
public record SqlRows(List<String> columns, List<List<@Nullable Object>> rows, boolean isLast) {
    /** No columns and no rows. */
    public static final SqlRows NONE = new SqlRows(List.of(), List.of(), true);

    /** Makes rows, as a unit test of a process needs it. */
    public SqlRows {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** Returns how many there are. */
    public int size() {
        return rows.size();
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /**
     * Returns the one value of a result of one row and one column.
     *
     * @throws IllegalStateException if there are more or none
     */
    public @Nullable Object value() {
        if (rows.size() != 1 || columns.size() != 1) {
            throw new IllegalStateException("the result has " + rows.size() + " rows of " + columns.size()
                    + " columns, value() is for 1 of 1: use rows(), maps() or as()");
        }
        return rows.get(0).get(0);
    }

    /** Returns each row as a map from the label of the column to the value, in the order of the columns. */
    public List<Map<String, @Nullable Object>> maps() {
        return rows.stream().map(this::map).toList();
    }

    private Map<String, @Nullable Object> map(List<@Nullable Object> row) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        for (int i = 0; i < columns.size(); i++) {
            map.putIfAbsent(columns.get(i), row.get(i)); // the first of two with one label, as JDBC does
        }
        return Collections.unmodifiableMap(map);
    }

    /**
     * Returns each row as a record. A component takes the column of its name; upper and lower case and underscores do not
     * matter, so {@code birthYear} takes {@code BIRTH_YEAR}. Numbers are converted where nothing is lost.
     *
     * @throws IllegalArgumentException if a component has no column, or its value does not fit; the message says which
     */
    public <R extends Record> List<R> as(Class<R> type) {
        SqlRecord<R> mapping = SqlRecord.of(type, columns);
        return rows.stream().map(mapping::make).toList();
    }

    /** Leaves out the values. */
    @Override
    public String toString() {
        return "SqlRows[" + rows.size() + " rows of " + columns + (isLast ? "]" : ", more follow]");
    }
}

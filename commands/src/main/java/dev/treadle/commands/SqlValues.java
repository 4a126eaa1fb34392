// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds parameters, and reads values that need no connection any more. */
final class SqlValues {
    private SqlValues() {}

    static void bind(PreparedStatement statement, List<@Nullable Object> parameters) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            Object value = parameters.get(i);
            if (value == null) {
                statement.setNull(i + 1, Types.NULL);
            } else if (value instanceof Bytes bytes) {
                statement.setBytes(i + 1, bytes.toArray());
            } else {
                statement.setObject(i + 1, forDriver(value));
            }
        }
    }

    /** What drivers do not all take as it is. */
    private static Object forDriver(Object value) {
        if (value instanceof Instant instant) {
            return instant.atOffset(ZoneOffset.UTC);
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        return value instanceof Character character ? character.toString() : value;
    }

    static List<String> columns(ResultSet result) throws SQLException {
        ResultSetMetaData meta = result.getMetaData();
        var columns = new ArrayList<String>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
            columns.add(meta.getColumnLabel(i));
        }
        return columns;
    }

    /** Reads the row that the result stands on. */
    static List<@Nullable Object> row(ResultSet result) throws SQLException {
        ResultSetMetaData meta = result.getMetaData();
        var row = new ArrayList<@Nullable Object>(meta.getColumnCount());
        for (int i = 1; i <= meta.getColumnCount(); i++) {
            row.add(hasTimeZone(meta, i) ? result.getObject(i, OffsetDateTime.class) : detached(result.getObject(i)));
        }
        return Collections.unmodifiableList(row);
    }

    /** PostgreSQL's driver calls both kinds of timestamp by the same number. */
    private static boolean hasTimeZone(ResultSetMetaData meta, int column) throws SQLException {
        return meta.getColumnType(column) == Types.TIMESTAMP_WITH_TIMEZONE
                || "timestamptz".equalsIgnoreCase(meta.getColumnTypeName(column));
    }

    private static @Nullable Object detached(@Nullable Object value) throws SQLException {
        if (value == null || value instanceof String || value instanceof Number) {
            return value;
        }
        if (value instanceof byte[] bytes) {
            return Bytes.of(bytes);
        }
        if (value instanceof Timestamp timestamp) {
            return timestamp.toLocalDateTime();
        }
        if (value instanceof Date date) {
            return date.toLocalDate();
        }
        if (value instanceof Time time) {
            return time.toLocalTime();
        }
        if (value instanceof Clob clob) {
            return clob.getSubString(1, Math.toIntExact(clob.length()));
        }
        if (value instanceof Blob blob) {
            return Bytes.own(blob.getBytes(1, Math.toIntExact(blob.length())));
        }
        if (value instanceof SQLXML xml) {
            return xml.getString();
        }
        if (value instanceof Array array) {
            return detached(array.getArray());
        }
        if (value instanceof Object[] elements) {
            var list = new ArrayList<@Nullable Object>(elements.length);
            for (Object element : elements) {
                list.add(detached(element));
            }
            return Collections.unmodifiableList(list);
        }
        return value.getClass().getName().startsWith("java.") ? value : value.toString();
    }
}

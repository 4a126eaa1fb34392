// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the commands of SQL check and copy when they are made. */
final class SqlText {
    private static final int SHOWN_MAX = 120;

    private SqlText() {}

    /** Refuses an empty text. */
    static String checkSql(String sql) {
        Objects.requireNonNull(sql, "sql is null: give the text of the statement");
        if (sql.isBlank()) {
            throw new IllegalArgumentException("sql was blank, must be a statement: give one such as \"select 1\"");
        }
        return sql;
    }

    /** Copies parameters; they may be null, and arrays of bytes become {@link Bytes}. */
    static List<@Nullable Object> copyOf(List<? extends @Nullable Object> parameters) {
        var copy = new ArrayList<@Nullable Object>(parameters.size());
        for (Object parameter : parameters) {
            copy.add(parameter instanceof byte[] bytes ? Bytes.of(bytes) : parameter);
        }
        return Collections.unmodifiableList(copy);
    }

    /** The text as it stands in messages: on one line, and not too long. It has no values in it, they are bound. */
    static String shown(String sql) {
        String line = sql.strip().replaceAll("\\s+", " ");
        return '"' + (line.length() <= SHOWN_MAX ? line : line.substring(0, SHOWN_MAX) + "...") + '"';
    }
}

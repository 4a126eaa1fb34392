// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import dev.treadle.Command;

/**
 * A statement of SQL with its parameters: on its own, or as a part of a {@link SqlTransaction}.
 *
 * <p>Parameters stand as {@code ?} in the text and are bound by the driver. They are never put into the text. A parameter is
 * null or a value such as a String, a Number, a Boolean, a {@code java.time} value, a UUID, an enum (its name is bound),
 * {@link Bytes}, or whatever else the driver takes.
 */
public sealed interface SqlStatement extends Command permits SqlQuery, SqlUpdate, SqlBatch {
    /** Returns the text, with a {@code ?} for each parameter. */
    String sql();
}

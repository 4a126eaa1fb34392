// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.util.Objects;

/**
 * What a {@link SqlUpdate} or {@link SqlBatch} did.
 *
 * @param count how many rows were changed, or {@link #UNKNOWN} if the driver does not say
 * @param keys the columns that {@link SqlUpdate#returning} asked for; else no rows
 */
public record SqlUpdated(long count, SqlRows keys) {
    /** The count where a driver does not tell it. */
    public static final long UNKNOWN = -1;

    /** Makes one, as a unit test of a process needs it. */
    public SqlUpdated {
        Objects.requireNonNull(keys, "keys is null: use SqlRows.NONE");
    }
}

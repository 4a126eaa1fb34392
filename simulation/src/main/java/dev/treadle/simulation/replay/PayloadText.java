// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation.replay;

import org.jspecify.annotations.Nullable;

/**
 * What a replay gives to a process in the place of a payload that the recording has only as text, or that may not be read.
 * Two are equal if what they stand for had the same type: the text may hold what changes from run to run.
 *
 * @param type the class of the payload
 * @param text what its {@code toString} said
 * @param why why there is no more of it
 */
public record PayloadText(String type, String text, String why) {
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PayloadText that && type.equals(that.type);
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }
}

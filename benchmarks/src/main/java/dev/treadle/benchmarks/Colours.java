// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

/** The colours of chameneos, 0 to 2. */
public final class Colours {
    /** What the mall sends to a creature when all meetings are over. */
    public static final int NO_MORE = -1;

    private Colours() {}

    /** Returns the colour that a creature has at first. */
    public static int first(int creature) {
        return creature % 3;
    }

    /** Returns the colour that two creatures have after they met. */
    public static int afterMeeting(int mine, int other) {
        return mine == other ? mine : 3 - mine - other;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.benchmarks;

/** The token of the ring. Whoever got it last owns it, counts, and passes it on. */
public final class Token {
    private int hopsLeft;

    /** Makes a token that is passed on so many times. */
    public Token(int hops) {
        hopsLeft = hops;
    }

    /** The owner: counts one hop; false if it was the last. */
    public boolean hop() {
        return --hopsLeft > 0;
    }
}

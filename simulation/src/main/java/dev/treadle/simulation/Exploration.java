// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

/** How a simulation wanders from the plain order of things. */
public final class Exploration {
    private static final int PREEMPTIONS_MIXED = 3;
    private static final Exploration RANDOM = new Exploration(0, 0);
    private static final Exploration MIXED = new Exploration(1, PREEMPTIONS_MIXED);

    /** Of every two seeds, how many are explored by preemptions. */
    private final int bounded;

    private final int preemptions;

    private Exploration(int bounded, int preemptions) {
        this.bounded = bounded;
        this.preemptions = preemptions;
    }

    /** At random: every decision is drawn anew. */
    public static Exploration random() {
        return RANDOM;
    }

    /**
     * By a bounded number of preemptions: all goes in the plain order, but at so many places. Most bugs need one or two, and
     * these are found sooner so, and easier to understand.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public static Exploration preemptions(int most) {
        if (most < 0) {
            throw new IllegalArgumentException(
                    "preemptions was " + most + ", must not be negative: use 0 for the plain order, or random()");
        }
        return new Exploration(2, most);
    }

    /** Even seeds at random, odd ones by up to three preemptions. This is the default. */
    public static Exploration mixed() {
        return MIXED;
    }

    boolean isRandom(long seed) {
        return bounded == 0 || (bounded == 1 && (seed & 1) == 0);
    }

    int preemptions(long seed) {
        return isRandom(seed) ? 0 : preemptions;
    }
}

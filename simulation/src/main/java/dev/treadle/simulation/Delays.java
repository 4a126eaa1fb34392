// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

/** Draws delays, as decisions that can be shrunk. */
final class Delays {
    /** In how many parts a span is divided: enough for an order among many, few enough for a short replay line. */
    private static final int PARTS = 64;

    private Delays() {}

    /** Returns a delay from zero to the span: the square of an even draw, so that most are short. */
    static long choose(Choices choices, Choices.Kind kind, long spanNanos) {
        if (spanNanos <= 0) {
            return 0;
        }
        int part = choices.choose(kind, PARTS);
        return (long) ((double) spanNanos * part * part / ((PARTS - 1) * (PARTS - 1)));
    }
}

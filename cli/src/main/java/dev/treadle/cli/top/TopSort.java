// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.top;

/** What processes are sorted by. */
enum TopSort {
    STEPS,
    QUEUE,
    YIELDS,
    AGE,
    PID,
    STATE,
    TYPE;

    boolean isLargestFirst() {
        return switch (this) {
            case STEPS, QUEUE, YIELDS, AGE -> true;
            case PID, STATE, TYPE -> false;
        };
    }
}

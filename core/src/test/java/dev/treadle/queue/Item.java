// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

/** What the tests put in queues: a number in an object of its own, for an object is in one queue at most. */
final class Item {
    private final int number;

    Item(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    @Override
    public String toString() {
        return Integer.toString(number);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.queue;

import org.jspecify.annotations.Nullable;

/** Something to push and take. Its number is not final on purpose: whoever sees 0 was shown it too early. */
final class Item {
    private static final int TORN = 9;

    int number;

    Item(int number) {
        this.number = number;
    }

    /** Appends the number to a decimal of those taken so far; 9 stands for an item that was not whole. */
    static int append(int digits, @Nullable Item item) {
        if (item == null) {
            return digits;
        }
        return digits * 10 + (item.number == 0 ? TORN : item.number);
    }
}

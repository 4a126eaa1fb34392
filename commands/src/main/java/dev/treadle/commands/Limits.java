// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.commands;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Checks the settings of a registration, and reports all that are wrong at once. */
final class Limits {
    private final String handlers;
    private final List<String> problems = new ArrayList<>();

    Limits(String handlers) {
        this.handlers = handlers;
    }

    Limits atLeast(String name, long value, long least, String meaning) {
        if (value < least) {
            problems.add(name + " was " + value + ", must be at least " + least + ": it is " + meaning);
        }
        return this;
    }

    Limits positive(String name, Duration value, String meaning) {
        if (value.isZero() || value.isNegative()) {
            problems.add(name + " was " + value + ", must be positive: it is " + meaning);
        }
        return this;
    }

    void check() {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "Invalid settings of " + handlers + ":\n  " + String.join("\n  ", problems));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.time.Duration;
import java.util.Locale;

/** Writes numbers for people to read. Plain ASCII: not every terminal knows more. */
public final class Figures {
    private static final String[] UNITS = {"", "k", "M", "G", "T", "P", "E"};

    private Figures() {}

    /** Returns a count in full, such as {@code 100,000}. */
    public static String exact(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Returns three digits of a count and its unit, such as {@code 1.04M}; a small one in full. */
    public static String rounded(double count) {
        if (!(count >= 0 && count <= Long.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "count was " + count + ", must be zero or more: take the later figure minus the earlier one");
        }
        double scaled = count;
        int unit = 0;
        while (scaled >= 999.5) {
            scaled /= 1000;
            unit++;
        }
        int decimals = unit == 0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f%s", scaled, UNITS[unit]);
    }

    /** Returns how often something happened per second, rounded; zero for no time. */
    public static String perSecond(long count, Duration time) {
        return rounded(time.isZero() ? 0 : count * 1e9 / time.toNanos());
    }

    /** Returns a short time in the unit that fits, such as {@code 131 us}. */
    public static String delay(Duration delay) {
        double nanos = delay.toNanos();
        if (nanos < 1e3) {
            return digits(nanos) + " ns";
        }
        if (nanos < 1e6) {
            return digits(nanos / 1e3) + " us";
        }
        if (nanos < 1e9) {
            return digits(nanos / 1e6) + " ms";
        }
        return digits(nanos / 1e9) + " s";
    }

    /** Returns a long time in seconds, such as {@code 12.5 s}. */
    public static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, value < 9.95 && value != Math.rint(value) ? "%.1f" : "%.0f", value);
    }
}

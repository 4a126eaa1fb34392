// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a duration such as {@code 500ms}, {@code 10s}, {@code 2m} or {@code 1h}. */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Duration MAX = Duration.ofHours(10_000);
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18})(ms|s|m|h)");

    /** Made by picocli. */
    public DurationConverter() {}

    @Override
    public Duration convert(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw refused(text, "must be a whole number and its unit, ms, s, m or h: write 500ms, 10s, 2m or 1h");
        }
        long amount = Long.parseLong(form.group(1));
        if (amount == 0) {
            throw refused(text, "must be more than zero: write 1s, say");
        }
        long millis = millis(form.group(2));
        if (amount > MAX.toMillis() / millis) {
            throw refused(text, "must be at most " + MAX.toHours() + "h: leave the option out for no limit");
        }
        return Duration.ofMillis(amount * millis);
    }

    private static long millis(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> throw new IllegalArgumentException("unit was " + unit + ", must be ms, s, m or h: see FORM");
        };
    }

    /** The name of the option is put before it by picocli. */
    private static TypeConversionException refused(String text, String rule) {
        return new TypeConversionException("was '" + text + "', " + rule);
    }
}

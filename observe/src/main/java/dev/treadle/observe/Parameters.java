// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import dev.treadle.Pid;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a request, by name; of one that is given twice the last. */
final class Parameters {
    static final int VALUE_LENGTH_MAX = 200;

    private final Map<String, String> values = new HashMap<>();

    /** Takes what stands behind the question mark, or null. */
    Parameters(@Nullable String rawQuery) {
        if (rawQuery == null) {
            return;
        }
        for (String pair : rawQuery.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            values.put(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
        }
    }

    private static String decoded(String raw) {
        try {
            return URLDecoder.decode(raw, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException("a parameter is not encoded as a URL: " + e.getMessage());
        }
    }

    String text(String name, String otherwise) {
        String value = values.getOrDefault(name, otherwise);
        if (value.length() > VALUE_LENGTH_MAX) {
            throw new BadRequestException(name + " has " + value.length() + " characters, must have at most "
                    + VALUE_LENGTH_MAX + ": shorten it");
        }
        return value;
    }

    boolean flag(String name) {
        return values.getOrDefault(name, "false").equals("true");
    }

    int number(String name, int otherwise, int min, int max) {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new BadRequestException(
                name + " was \"" + Text.shortened(value) + "\", must be a number from " + min + " to " + max);
    }

    /** Returns a constant by its name in any case, or null if the parameter is missing or empty. */
    <E extends Enum<E>> @Nullable E constant(String name, Class<E> type) {
        String value = text(name, "");
        if (value.isEmpty()) {
            return null;
        }
        try {
            return Enum.valueOf(type, value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(name + " was \"" + value + "\", must be one of "
                    + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT));
        }
    }

    Pid pid() {
        try {
            return Pid.parse(text("pid", ""));
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(String.valueOf(e.getMessage()));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Puts variables of the environment into a value: {@code ${NAME}} and {@code ${NAME:-default}}; {@code $$} is one dollar. */
final class Variables {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$|\\$\\{([^}]*)\\}");
    private static final Pattern NAME = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?", Pattern.DOTALL);

    private final Function<String, @Nullable String> environment;

    Variables(Function<String, @Nullable String> environment) {
        this.environment = environment;
    }

    /**
     * Returns the value with variables in their place.
     *
     * @throws IllegalArgumentException if one is not set and has no default, or is none
     */
    String fill(String value) {
        Matcher reference = REFERENCE.matcher(value);
        UnaryOperator<String> quote = Matcher::quoteReplacement;
        return reference.replaceAll(match -> quote.apply(match.group(1) == null ? "$" : lookUp(match.group(1))));
    }

    private String lookUp(String reference) {
        Matcher name = NAME.matcher(reference);
        if (!name.matches()) {
            throw new IllegalArgumentException("\"${" + reference
                    + "}\" names no variable: write ${NAME} or ${NAME:-default}, or $$ for a dollar");
        }
        String value = environment.apply(name.group(1));
        if (value == null || value.isEmpty()) {
            value = name.group(2);
        }
        if (value == null) {
            throw new IllegalArgumentException(
                    "the environment has no " + name.group(1) + ": set it, or write ${" + name.group(1) + ":-default}");
        }
        return value;
    }
}

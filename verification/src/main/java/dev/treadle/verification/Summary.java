// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.verification;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The table of what was found. */
final class Summary {
    private record Row(String name, String verdict, long samples, String detail) {}

    private final List<Row> tests = new ArrayList<>();
    private final List<Row> twins = new ArrayList<>();
    private boolean passed = true;

    void addTest(String name, Verdict verdict) {
        String word = verdict.isClean() ? "passed" : verdict.isForbiddenSeen() ? "FAILED" : "ERROR";
        passed &= verdict.isClean();
        tests.add(new Row(name, word, verdict.samples(), verdict.outcomes()));
        verdict.errors().forEach(error -> tests.add(new Row("", "", 0, error)));
    }

    void addTwin(Twin twin, Verdict verdict) {
        boolean caught = verdict.isForbiddenSeen();
        passed &= caught;
        twins.add(new Row(
                twin.name(), caught ? "caught" : "SURVIVED", verdict.samples(), twin.test() + ": " + twin.fault()));
        if (!caught) {
            twins.add(new Row("", "", 0, verdict.outcomes()));
            verdict.errors().forEach(error -> twins.add(new Row("", "", 0, error)));
        }
    }

    /** Returns whether every test passed and every twin was caught. */
    boolean isPassed() {
        return passed;
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        append(text, "test", "outcomes", tests);
        if (!twins.isEmpty()) {
            text.append(System.lineSeparator());
            append(text, "twin", "what is wrong with it, and the test that has to see it", twins);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String title, String detail, List<Row> rows) {
        int width = rows.stream().mapToInt(row -> row.name.length()).max().orElse(0);
        String format = "%-" + Math.max(width, title.length()) + "s  %-8s  %12s  %s%n";
        text.append(String.format(Locale.ROOT, format, title, "verdict", "samples", detail));
        for (Row row : rows) {
            String samples = row.name.isEmpty() ? "" : String.format(Locale.ROOT, "%,d", row.samples);
            text.append(String.format(Locale.ROOT, format, row.name, row.verdict, samples, row.detail));
        }
    }
}

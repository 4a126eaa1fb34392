// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.verification;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.GradingResult;

/** What came of one test, over all settings of the JVM that it ran with. */
final class Verdict {
    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<String, Expect> expectations = new TreeMap<>();
    private final List<String> errors = new ArrayList<>();
    private int runs;

    /** Sums up, by the simple name of the test. */
    static Map<String, Verdict> of(Collection<TestResult> results) {
        var verdicts = new TreeMap<String, Verdict>();
        for (TestResult result : results) {
            verdicts.computeIfAbsent(simpleName(result.getName()), name -> new Verdict())
                    .add(result);
        }
        return verdicts;
    }

    private static String simpleName(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private void add(TestResult result) {
        runs++;
        for (GradingResult graded : result.grading().gradingResults.values()) {
            if (graded.count > 0) {
                counts.merge(graded.id, graded.count, Long::sum);
                expectations.put(graded.id, graded.expect);
            }
        }
        if (result.status() != Status.NORMAL) {
            errors.add(result.status() + " " + String.join(" ", result.getMessages()));
        }
    }

    /** Returns whether something was seen that must not be. */
    boolean isForbiddenSeen() {
        return expectations.containsValue(Expect.FORBIDDEN);
    }

    /** Returns whether nothing forbidden was seen, and nothing else went wrong. */
    boolean isClean() {
        return runs > 0 && !isForbiddenSeen() && errors.isEmpty();
    }

    /** Returns what went wrong in running it: a hang, a JVM that died. */
    List<String> errors() {
        return errors;
    }

    /** Returns how often the test was run, that is how many pairs of actors met. */
    long samples() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the results seen and how often, forbidden ones marked. */
    String outcomes() {
        var text = new ArrayList<String>();
        counts.forEach((id, count) ->
                text.add((expectations.get(id) == Expect.FORBIDDEN ? "!" : "") + "[" + id + "] " + count));
        return text.isEmpty() ? "nothing" : String.join("  ", text);
    }
}

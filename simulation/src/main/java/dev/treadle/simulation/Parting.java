// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds where two runs of one seed parted, which should have been the same. */
final class Parting {
    private static final String ADVICE =
            "Look for what the seed does not decide in the code that ran just before: the real clock, random numbers that are"
                    + " not context.random(), the order of a HashSet or of Map.of, static fields, threads";

    private Parting() {}

    /** Says where, or returns null if they are the same. */
    static @Nullable String of(Explorer.Attempt first, Explorer.Attempt second) {
        List<TraceEvent> a = first.trace().events();
        List<TraceEvent> b = second.trace().events();
        for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
            String inA = i < a.size() ? a.get(i).text() : "(the run has ended)";
            String inB = i < b.size() ? b.get(i).text() : "(the run has ended)";
            if (!inA.equals(inB)) {
                return "two runs of this seed are not the same. They part here:\n  first:  " + inA + "\n  second: "
                        + inB + "\n" + ADVICE;
            }
        }
        boolean alike = first.failure() == null ? second.failure() == null : first.isLike(second);
        return alike
                ? null
                : "two runs of this seed had the same events, but one failed by what the other did not:\n  first:  "
                        + outcome(first) + "\n  second: " + outcome(second) + "\n" + ADVICE;
    }

    private static String outcome(Explorer.Attempt attempt) {
        return attempt.failure() == null
                ? "passed"
                : attempt.failure().failure().message();
    }
}

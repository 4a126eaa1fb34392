// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A worker counts steps and names its place while somebody inspects the process: the figures are whole and never go back.
 *
 * <p>Results: two looks at the number of steps. Covers the opaque accesses of {@code steps}, {@code place} and {@code
 * inFlightCount}. They are figures for a report and order nothing, so there is nothing that a twin could get wrong on x86.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "")
@Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "")
@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "")
@Outcome(expect = Expect.FORBIDDEN, desc = "a figure that goes back, or a place that never was")
@State
public class FiguresStress {
    private final ProcessCell cell = Cells.makeOpen("first", null);

    @Actor
    public void worker() {
        cell.setWorker(3);
        cell.countStep();
        cell.setWorker(4);
        cell.countStep();
    }

    @Actor
    public void inspector(JJ_Result result) {
        result.r1 = steps(cell.info());
        result.r2 = steps(cell.info());
    }

    private static long steps(@Nullable ProcessInfo info) {
        boolean known = info != null && (info.worker() == -1 || info.worker() == 3 || info.worker() == 4);
        return known ? info.steps() : -1;
    }
}

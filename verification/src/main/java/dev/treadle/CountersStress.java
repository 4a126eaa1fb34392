// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A worker counts while somebody reads the figures: they are whole and never go back.
 *
 * <p>Results: two looks. Covers the plain increments and opaque reads of {@link WorkerCounters}. The counter crosses the
 * border of 32 bits, so that half of a write would show.
 */
@JCStressTest
@Outcome(id = "4294967295, 4294967295", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "4294967295, 4294967296", expect = Expect.ACCEPTABLE, desc = "between")
@Outcome(id = "4294967296, 4294967296", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(expect = Expect.FORBIDDEN, desc = "torn, or went back")
@State
public class CountersStress {
    private static final long BEFORE = (1L << 32) - 1;

    private final WorkerCounters counters = new WorkerCounters();

    public CountersStress() {
        counters.steps = BEFORE;
    }

    @Actor
    public void worker() {
        counters.steps++;
    }

    @Actor
    public void reader(JJ_Result result) {
        result.r1 = counters.steps();
        result.r2 = counters.steps();
    }
}

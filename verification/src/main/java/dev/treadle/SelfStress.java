// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads ask for the address of a process, which is made when first asked for and stored plainly. Both get a whole one,
 * and the two are equal.
 *
 * <p>Result: 1 if so. Safe because the fields of a {@link Pid} are final. On x86 no twin could fail here.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "a whole address")
@Outcome(expect = Expect.FORBIDDEN, desc = "no address, or half of one")
@State
public class SelfStress {
    private final ProcessCell cell = Cells.make(7);

    @Actor
    public void one(II_Result result) {
        result.r1 = seen(cell.self());
    }

    @Actor
    public void other(II_Result result) {
        result.r2 = seen(cell.self());
    }

    private int seen(Pid self) {
        return self.id() == 7 && self.cell() == cell && self.host().equals(Cells.SCHEDULER.name()) ? 1 : 9;
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A process is looked up while it is added to the table: it is not found, or it is whole.
 *
 * <p>Result: 0 if it was not found, 1 if it was, 9 if it was not whole. Covers the plain reads of the buckets, which the
 * final fields of the cell make safe. On x86 stores are seen in order, so no twin could fail here.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "a process that is not whole")
@State
public class TableFindStress {
    private static final int ID = 1;

    private final ProcessTable table = new ProcessTable(0);

    @Actor
    public void submitter() {
        if (table.add(Cells.make(ID)) != ProcessTable.Add.ADDED) {
            throw new IllegalStateException("cannot be added");
        }
    }

    @Actor
    public void finder(I_Result result) {
        ProcessCell cell = table.find(ID);
        if (cell == null) {
            result.r1 = 0;
        } else {
            result.r1 = cell.scheduler == Cells.SCHEDULER && cell.isUnborn() && cell.mailboxCapacity > 0 ? 1 : 9;
        }
    }
}

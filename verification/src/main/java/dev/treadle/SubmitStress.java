// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A process is added to the table while a shutdown closes the table and walks it: the process is refused, or the walk finds
 * it.
 *
 * <p>Results: 1 if it was added, how often the walk found it.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "added in time")
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "a process that no shutdown knows of, or that was refused and is there")
@State
public class SubmitStress {
    private static final int ID = 1;

    private final Table table = Twin.TABLE_CLOSED_BEFORE_LOCK.isChosen() ? new TwinTable() : new Production();

    @Actor
    public void submitter(II_Result result) {
        result.r1 = table.add() ? 1 : 0;
    }

    @Actor
    public void shutdown(II_Result result) {
        result.r2 = table.closeAndWalk();
    }

    private interface Table {
        boolean add();

        int closeAndWalk();
    }

    private static final class Production implements Table {
        private final ProcessTable table = new ProcessTable(0);
        private final ProcessCell cell = Cells.make(ID);

        @Override
        public boolean add() {
            return table.add(cell) == ProcessTable.Add.ADDED;
        }

        @Override
        public int closeAndWalk() {
            table.close();
            int found = 0;
            for (int part = 0; part < table.parts(); part++) {
                found += table.part(part).size();
            }
            return found;
        }
    }

    private static final class TwinTable implements Table {
        private volatile boolean closed;
        private int size;

        @Override
        public boolean add() {
            if (closed) {
                return false;
            }
            synchronized (this) {
                size++;
            }
            return true;
        }

        @Override
        public int closeAndWalk() {
            closed = true;
            synchronized (this) {
                return size;
            }
        }
    }
}

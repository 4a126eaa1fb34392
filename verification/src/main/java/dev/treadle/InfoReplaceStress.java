// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A process is upgraded while somebody inspects it: the report is of one life, never the type of one with the method of another.
 *
 * <p>Result: the life that was seen, or 9 for a mixture. Covers the opaque, release and acquire accesses of {@code process},
 * the fences, and the plain accesses of {@code method}.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(expect = Expect.FORBIDDEN, desc = "a mixture of two lives")
@State
public class InfoReplaceStress {
    private final Life life = Twin.INFO_LOOKS_ONCE.isChosen() ? new TwinLife() : new Production();

    @Actor
    public void owner() {
        life.replace();
    }

    @Actor
    public void inspector(I_Result result) {
        result.r1 = life.seen();
    }

    private static int seen(boolean firstType, String method) {
        return firstType == method.equals("first") ? (firstType ? 1 : 2) : 9;
    }

    private interface Life {
        void replace();

        int seen();
    }

    private static final class Production implements Life {
        private static final String FIRST = Cells.First.class.getTypeName();

        private final ProcessCell cell = Cells.makeOpen("first", null);

        @Override
        public void replace() {
            cell.replace(new Cells.Second(), "second");
        }

        @Override
        public int seen() {
            ProcessInfo info = cell.info();
            return info == null ? 0 : InfoReplaceStress.seen(info.type().equals(FIRST), info.method());
        }
    }

    private static final class TwinLife implements Life {
        private volatile Process process = new Cells.First();
        private volatile String method = "first";

        @Override
        public void replace() {
            method = "second";
            process = new Cells.Second();
        }

        @Override
        public int seen() {
            Process process = this.process;
            return InfoReplaceStress.seen(process instanceof Cells.First, method);
        }
    }
}

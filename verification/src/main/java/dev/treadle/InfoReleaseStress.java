// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A process ends while somebody inspects it: the report has the parent, or there is none.
 *
 * <p>Result: 0 for no report, 1 for one with the parent, 9 for one without. Covers the fence in release.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "it has ended")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "it lives")
@Outcome(expect = Expect.FORBIDDEN, desc = "a report of a process whose parent is gone already")
@State
public class InfoReleaseStress {
    private final Life life = Twin.RELEASE_FORGETS_PARENT_FIRST.isChosen() ? new TwinLife() : new Production();

    @Actor
    public void owner() {
        life.end();
    }

    @Actor
    public void inspector(I_Result result) {
        result.r1 = life.seen();
    }

    private interface Life {
        void end();

        int seen();
    }

    private static final class Production implements Life {
        private static final ProcessCell PARENT = Cells.make();

        private final ProcessCell cell = Cells.makeOpen("first", PARENT);

        @Override
        public void end() {
            cell.finish();
            cell.release();
        }

        @Override
        public int seen() {
            ProcessInfo info = cell.info();
            return info == null ? 0 : info.parent() == null ? 9 : 1;
        }
    }

    private static final class TwinLife implements Life {
        private volatile @Nullable Process process = new Cells.First();
        private volatile @Nullable Object parent = "parent";

        @Override
        public void end() {
            parent = null;
            process = null;
        }

        @Override
        public int seen() {
            Process process = this.process;
            Object parent = this.parent;
            if (process == null || process != this.process) {
                return 0;
            }
            return parent == null ? 9 : 1;
        }
    }
}

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
 * A submitter opens a process at the moment when a shutdown gives it up. One of them gets its way.
 *
 * <p>Results: 1 if it was opened, 1 if it was given up.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "born")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "given up")
@Outcome(expect = Expect.FORBIDDEN, desc = "a process that is born and given up, or neither")
@State
public class BirthStress {
    private final Birth birth = Twin.BIRTH_WITHOUT_CAS.isChosen() ? new TwinBirth() : new Production();

    @Actor
    public void submitter(II_Result result) {
        result.r1 = birth.open() ? 1 : 0;
    }

    @Actor
    public void shutdown(II_Result result) {
        result.r2 = birth.doom() ? 1 : 0;
    }

    private interface Birth {
        boolean open();

        boolean doom();
    }

    private static final class Production implements Birth {
        private final EventQueue queue = new EventQueue();

        @Override
        public boolean open() {
            return queue.open();
        }

        @Override
        public boolean doom() {
            return queue.doom();
        }
    }

    private static final class TwinBirth implements Birth {
        private volatile int state = ProcessState.UNBORN;

        @Override
        public boolean open() {
            return change(ProcessState.READY);
        }

        @Override
        public boolean doom() {
            return change(ProcessState.COMPLETE);
        }

        private boolean change(int next) {
            if (state != ProcessState.UNBORN) {
                return false;
            }
            state = next;
            return true;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import java.util.Map;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads answer the same yield. One of them wins, and the process gets that answer.
 *
 * <p>Results: 1 if the first won, 1 if the second won, the answer.
 */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the first won")
@Outcome(id = "0, 1, 2", expect = Expect.ACCEPTABLE, desc = "the second won")
@Outcome(expect = Expect.FORBIDDEN, desc = "two answers or none, or the loser's")
@State
public class AnswerOnceStress {
    private final Answer answer = Twin.ANSWER_WITHOUT_CAS.isChosen() ? new TwinAnswer() : new Production();

    @Actor
    public void first(III_Result result) {
        result.r1 = answer.give(1) ? 1 : 0;
    }

    @Actor
    public void second(III_Result result) {
        result.r2 = answer.give(2) ? 1 : 0;
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = answer.given();
    }

    private interface Answer {
        boolean give(Integer value);

        int given();
    }

    private static final class Production implements Answer {
        private final YieldInFlight yield = new YieldInFlight(Cells.makeOpen("first", null), 5, Map.of());

        @Override
        public boolean give(Integer value) {
            return yield.completeYield(5, value, null);
        }

        @Override
        public int given() {
            return yield.data() instanceof Integer value ? value : 0;
        }
    }

    private static final class TwinAnswer implements Answer {
        private volatile int value;

        @Override
        public boolean give(Integer value) {
            if (this.value != 0) {
                return false;
            }
            this.value = value;
            return true;
        }

        @Override
        public int given() {
            return value;
        }
    }
}

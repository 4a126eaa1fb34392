// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two workers sleep. One thread wakes one; another wakes both, and the one on top goes to sleep again.
 *
 * <p>Result: 1 if each was woken as often as it went to sleep, 9 if not. Covers the plain array of links in {@link Sleepers},
 * whose stale reads the version has to catch.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "as often as they slept")
@Outcome(expect = Expect.FORBIDDEN, desc = "a worker was woken that did not sleep, or sleeps for ever")
@State
public class SleeperStackStress {
    private final Stack stack = Twin.SLEEPERS_WITHOUT_VERSION.isChosen() ? new TwinStack() : new Production();
    private final int[] claimedByOne = new int[2];
    private final int[] claimedByOther = new int[2];
    private final int[] slept = {1, 1};

    public SleeperStackStress() {
        stack.announce(1);
        stack.announce(0);
    }

    @Actor
    public void one() {
        claimInto(claimedByOne);
    }

    @Actor
    public void other() {
        claimInto(claimedByOther);
        claimInto(claimedByOther);
        if (claimedByOther[0] > 0) {
            slept[0]++;
            stack.announce(0);
        }
    }

    @Arbiter
    public void rest(I_Result result) {
        while (claimInto(claimedByOne) && claimedByOne[0] + claimedByOne[1] < 9) {
            // at most 9, for a stack that is broken may be a circle
        }
        boolean right = true;
        for (int i = 0; i < 2; i++) {
            right &= claimedByOne[i] + claimedByOther[i] == slept[i];
        }
        result.r1 = right ? 1 : 9;
    }

    private boolean claimInto(int[] claimed) {
        int worker = stack.claim();
        if (worker == Sleepers.NOBODY) {
            return false;
        }
        claimed[worker]++;
        return true;
    }

    private interface Stack {
        void announce(int worker);

        /** Takes the top off; it is awake, and does not search for long. */
        int claim();
    }

    private static final class Production implements Stack {
        private final Sleepers sleepers = new Sleepers(2, 2);

        @Override
        public void announce(int worker) {
            sleepers.announce(worker, false);
        }

        @Override
        public int claim() {
            int worker = sleepers.claimAny();
            if (worker != Sleepers.NOBODY && sleepers.stopSearching()) {
                return worker; // the last to search; there is no work to look for
            }
            return worker;
        }
    }

    private static final class TwinStack implements Stack {
        private final AtomicInteger top = new AtomicInteger();
        private final int[] below = new int[2];

        @Override
        public void announce(int worker) {
            int before;
            do {
                before = top.get();
                below[worker] = before;
            } while (!top.compareAndSet(before, worker + 1));
        }

        @Override
        public int claim() {
            int before;
            do {
                before = top.get();
                if (before == 0) {
                    return Sleepers.NOBODY;
                }
            } while (!top.compareAndSet(before, below[before - 1]));
            return before - 1;
        }
    }
}

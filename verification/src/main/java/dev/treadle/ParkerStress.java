// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A worker parks while another thread unparks it. The park ends.
 *
 * <p>Result: 1 if the park ended, 9 if it would have lasted for ever. In production such a park hangs, which the harness
 * reports; the twin has a deadline.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the park ended")
@Outcome(expect = Expect.FORBIDDEN, desc = "a park that nobody ends")
@State
public class ParkerStress {
    private final Bed bed = Twin.PARKER_LOOKS_FIRST.isChosen() ? new TwinBed() : new Production();

    @Actor
    public void worker(I_Result result) {
        result.r1 = bed.park() ? 1 : 9;
    }

    @Actor
    public void waker() {
        bed.unpark();
    }

    private interface Bed {
        boolean park();

        void unpark();
    }

    private static final class Production implements Bed {
        private final ThreadParker parker = new ThreadParker();

        @Override
        public boolean park() {
            parker.park();
            return true;
        }

        @Override
        public void unpark() {
            parker.unpark();
        }
    }

    private static final class TwinBed implements Bed {
        private static final long FOR_EVER_NANOS = 50_000_000;

        private volatile boolean permit;
        private volatile @Nullable Thread sleeper;

        @Override
        public boolean park() {
            sleeper = Thread.currentThread();
            long start = System.nanoTime();
            while (!permit) {
                LockSupport.parkNanos(this, FOR_EVER_NANOS);
                if (System.nanoTime() - start >= FOR_EVER_NANOS) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void unpark() {
            Thread sleeper = this.sleeper;
            permit = true;
            LockSupport.unpark(sleeper);
        }
    }
}

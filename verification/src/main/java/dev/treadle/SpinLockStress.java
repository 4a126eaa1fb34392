// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import dev.treadle.verification.Twin;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two threads count in a plain field under the lock of a stripe. Both are counted: one holds the lock at a time, and sees
 * what the one before it wrote.
 *
 * <p>Result: the count.
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(expect = Expect.FORBIDDEN, desc = "both at once, or one that did not see the other")
@State
public class SpinLockStress {
    private final Counter counter = Twin.SPIN_LOCK_LOOKS_FIRST.isChosen() ? new TwinCounter() : new Production();

    @Actor
    public void first() {
        counter.increment();
    }

    @Actor
    public void second() {
        counter.increment();
    }

    @Arbiter
    public void result(I_Result result) {
        result.r1 = counter.count;
    }

    private abstract static class Counter {
        int count;

        abstract void increment();
    }

    private static final class Production extends Counter {
        private final SpinLock lock = new SpinLock();

        @Override
        void increment() {
            lock.lock();
            count++;
            lock.unlock();
        }
    }

    private static final class TwinCounter extends Counter {
        private volatile boolean held;

        @Override
        void increment() {
            while (held) {
                Thread.onSpinWait();
            }
            held = true;
            count++;
            held = false;
        }
    }
}

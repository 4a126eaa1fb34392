// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Sleeps by {@link LockSupport}, through spurious returns and interrupts. */
final class ThreadParker implements Parker {
    /*
     * The sleeper writes sleeper and then reads permit; the waker writes permit and then reads sleeper. All are volatile,
     * so one of the two sees what the other wrote: the sleeper does not sleep, or the waker unparks it.
     */
    private volatile boolean permit;
    private volatile @Nullable Thread sleeper;

    @Override
    public void park() {
        sleeper = Thread.currentThread();
        while (!permit) {
            LockSupport.park(this);
            Thread.interrupted(); // a thread that is interrupted cannot park, it would spin
        }
        sleeper = null;
        permit = false;
    }

    @Override
    public void unpark() {
        permit = true;
        LockSupport.unpark(sleeper);
    }
}

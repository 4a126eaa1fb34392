// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;

/**
 * A lock for some ten instructions of ours, at the least cost that a lock can have. It cannot be taken twice by one thread,
 * and nobody sleeps while waiting: no user code may run under it. There is room in front, since many of them lie side by side.
 */
class SpinLock extends Padding {
    /*
     * One compare-and-set takes it, a store gives it back. A monitor needs a compare-and-set for each, and when two threads
     * have met there it stays one that is entered by a call into the JVM: of the time of a process that is started and ends
     * at once, the two monitors of the table were a fifth.
     *
     * Whoever finds it taken looks again SPINS_MAX times, and then yields the processor at each look: the holder may have lost
     * its own, or is moving a whole table.
     *
     * A stack may overflow at any call while the lock is held. Then it must be given back without one: the holder catches
     * whatever is thrown and writes the field. That is a volatile store, with a fence, so it is not the usual way:
     *
     *   lock();
     *   try {
     *       ...
     *       unlock();
     *   } catch (Throwable thrown) {
     *       held = false;
     *       throw thrown;
     *   }
     *
     * Between the compare-and-set that took it and the try there is no call. If unlock() is what is thrown from, the store
     * was not made, since nothing is called after it.
     *
     * Memory modes. All that the holder did comes before the release of held, and the next holder's compare-and-set, which
     * is volatile, reads that. The looks while it is taken only wait, and order nothing.
     */

    /** How often it is looked at before the processor is given to others. A guess: some microseconds. */
    static final int SPINS_MAX = 64;

    private static final VarHandle HELD =
            fieldVarHandle(MethodHandles.lookup(), "held", VarHandle.class, SpinLock.class, boolean.class);

    /** Written by its holder only, and only where nothing may be called. */
    volatile boolean held;

    /** Any thread that does not hold it. */
    final void lock() {
        for (int looks = 0; !HELD.compareAndSet(this, false, true); looks++) {
            while (held) {
                if (looks < SPINS_MAX) {
                    looks++;
                    Thread.onSpinWait();
                } else {
                    Thread.yield();
                }
            }
        }
    }

    /** The holder. */
    final void unlock() {
        HELD.setRelease(this, false); // pairs with the compare-and-set in lock()
    }

    /** Any thread that does not hold it: does something under the lock, where it need not be fast. */
    final <T> T locked(Supplier<T> action) {
        lock();
        try {
            T result = action.get();
            unlock();
            return result;
        } catch (Throwable thrown) {
            held = false;
            throw thrown;
        }
    }
}

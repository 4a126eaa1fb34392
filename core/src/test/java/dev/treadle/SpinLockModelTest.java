// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: one thread at a time holds a lock, and whoever waits for it gets it.
 *
 * <p>Method: Lincheck lets two threads count in a plain field under the lock, through many interleavings, and compares what
 * they get with a counter that one thread uses. The twin looks whether the lock is free, and then takes it.
 */
@Tag("model")
class SpinLockModelTest {
    @Test
    void givenTwoThreads_whenModelChecked_thenOneAtATimeCounts() {
        modelChecking(5, 100).check(Production.class);
    }

    @Test
    @Tag("deep")
    void givenTwoThreads_whenModelCheckedAtLength_thenOneAtATimeCounts() {
        modelChecking(100, 2_000).check(Production.class);
    }

    @Test
    void givenTwinThatLooksAndThenTakes_whenModelChecked_thenFaultFound() {
        assertThatThrownBy(() -> modelChecking(30, 1_000).check(Twin.class))
                .as("a test that misses two holders is no test of the production class")
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions modelChecking(int iterations, int invocations) {
        return new ModelCheckingOptions()
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .sequentialSpecification(Spec.class);
    }

    /** The sequential specification. */
    public static class Spec {
        private int count;

        public int increment() {
            return ++count;
        }
    }

    /** The production lock. */
    public static class Production {
        private final SpinLock lock = new SpinLock();
        private int count;

        @Operation
        public int increment() {
            lock.lock();
            int counted = ++count;
            lock.unlock();
            return counted;
        }
    }

    /** Looks, then takes. */
    public static class Twin {
        private volatile boolean held;
        private int count;

        @Operation
        public int increment() {
            while (held) {
                Thread.onSpinWait();
            }
            held = true;
            int counted = ++count;
            held = false;
            return counted;
        }
    }
}

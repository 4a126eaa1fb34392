// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: no wake-up is lost: when work is made while workers go to sleep, somebody takes it.
 *
 * <p>Method: two workers and a maker of work follow the rule in {@link Sleepers}, with the production class, a counter for
 * the queues and a parker whose sleep ends by a wake-up only. A worker that would sleep for ever hangs, and Lincheck
 * reports that. The twins leave out the last look before the sleep, leave it out when the last searcher finds work, and look
 * before they stop searching.
 */
@Tag("model")
class SleepersModelTest {
    private static final int INVOCATIONS = 400;
    private static final int INVOCATIONS_TWIN = 2_000;
    private static final int INVOCATIONS_DEEP = 100_000;

    @Test
    void givenTwoWorkersAndAMaker_whenModelChecked_thenAllWorkIsTaken() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> new Scene(true, Stop.THEN_LOOK, false).play());
    }

    @Test
    @Tag("deep")
    void givenTwoWorkersAndAMaker_whenModelCheckedAtLength_thenAllWorkIsTaken() {
        Lincheck.runConcurrentTest(INVOCATIONS_DEEP, () -> new Scene(true, Stop.THEN_LOOK, false).play());
    }

    @Test
    void givenTwinWithoutLastLook_whenModelChecked_thenFaultFound() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(
                        INVOCATIONS_TWIN, () -> new Scene(false, Stop.THEN_LOOK, false).play()))
                .as("a test that misses a lost wake-up is no test of the rule")
                .isInstanceOf(LincheckAssertionError.class);
    }

    @Test
    void givenPiecesThatMustRunTogether_whenModelChecked_thenBothWorkersTakeOne() {
        Lincheck.runConcurrentTest(INVOCATIONS, () -> new Scene(true, Stop.THEN_LOOK, true).play());
    }

    @Test
    void givenTwinThatLooksBeforeItStopsSearching_whenModelChecked_thenFaultFound() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(
                        INVOCATIONS_TWIN, () -> new Scene(true, Stop.AFTER_LOOK, true).play()))
                .as("a test that misses a lost wake-up is no test of the rule")
                .isInstanceOf(LincheckAssertionError.class);
    }

    @Test
    void givenTwinWhoseLastSearcherWakesNobody_whenModelChecked_thenFaultFound() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(
                        INVOCATIONS_TWIN, () -> new Scene(true, Stop.WITHOUT_LOOK, true).play()))
                .as("a test that misses a lost wake-up is no test of the rule")
                .isInstanceOf(LincheckAssertionError.class);
    }

    @Test
    void givenWorkersThatComeAndGo_whenModelChecked_thenTheListIsLinearizable() {
        modelChecking(5, 200).check(ListCalls.class);
    }

    @Test
    @Tag("deep")
    void givenWorkersThatComeAndGo_whenModelCheckedAtLength_thenTheListIsLinearizable() {
        modelChecking(100, 2_000).check(ListCalls.class);
    }

    @Test
    void givenWorkersThatComeAndGo_whenStressed_thenTheListIsLinearizable() {
        new StressOptions()
                .iterations(4)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(ListSpec.class)
                .check(ListCalls.class);
    }

    private static ModelCheckingOptions modelChecking(int iterations, int invocations) {
        return new ModelCheckingOptions()
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(ListSpec.class);
    }

    /** How a worker stops searching that found work: as the rule says, or with a fault. */
    private enum Stop {
        THEN_LOOK,
        WITHOUT_LOOK,
        AFTER_LOOK
    }

    /**
     * Two workers that sleep when there is nothing to do, and a maker that makes two pieces of work. If these must run
     * together, neither ends before the other has begun: then one worker cannot make up for one that sleeps on.
     */
    private static final class Scene {
        private static final int WORKERS = 2;
        private static final int PIECES = 2;

        private final boolean looksAgain;
        private final Stop stop;
        private final boolean together;
        private final Sleepers sleepers = new Sleepers(WORKERS, WORKERS);
        private final AtomicInteger queue = new AtomicInteger();
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final SpinParker[] parkers = {new SpinParker(), new SpinParker()};
        private volatile boolean stopped;

        Scene(boolean looksAgain, Stop stop, boolean together) {
            this.looksAgain = looksAgain;
            this.stop = stop;
            this.together = together;
        }

        void play() {
            ModelThreads workers = ModelThreads.start(() -> work(0), () -> work(1));
            for (int i = 0; i < PIECES; i++) {
                queue.incrementAndGet();
                wakeOne();
            }
            workers.join();
            if (done.get() != PIECES) {
                throw new AssertionError(done + " of " + PIECES + " done");
            }
        }

        private void work(int index) {
            boolean searching = false;
            while (!stopped) {
                searching = searching || sleepers.tryStartSearching();
                if (takeOne()) {
                    if (searching) {
                        stopSearching();
                    }
                    searching = false;
                    runOne();
                } else {
                    sleepers.announce(index, searching);
                    if (looksAgain && queue.get() > 0) {
                        wakeOne();
                    }
                    parkers[index].park();
                    searching = true;
                }
            }
        }

        private void stopSearching() {
            boolean seenBefore = stop == Stop.AFTER_LOOK && queue.get() > 0;
            if (sleepers.stopSearching() && (seenBefore || (stop == Stop.THEN_LOOK && queue.get() > 0))) {
                wakeOne();
            }
        }

        private boolean takeOne() {
            int waiting = queue.get();
            return waiting > 0 && queue.compareAndSet(waiting, waiting - 1);
        }

        private void runOne() {
            begun.incrementAndGet();
            while (together && begun.get() < PIECES) {
                Thread.onSpinWait();
            }
            finishOne();
        }

        private void finishOne() {
            if (done.incrementAndGet() == PIECES) {
                stopped = true;
                for (SpinParker parker : parkers) {
                    parker.unpark();
                }
            }
        }

        private void wakeOne() {
            int sleeper = sleepers.claim();
            if (sleeper != Sleepers.NOBODY) {
                parkers[sleeper].unpark();
            }
        }
    }

    /** Sleeps until it is woken, and by nothing else. */
    private static final class SpinParker implements Parker {
        private volatile boolean permit;

        @Override
        public void park() {
            while (!permit) {
                Thread.onSpinWait();
            }
            permit = false;
        }

        @Override
        public void unpark() {
            permit = true;
        }
    }

    /** The list on its own: each worker announces at most once until it is claimed. */
    @Param(name = "worker", gen = IntGen.class, conf = "0:2")
    public static class ListCalls {
        private final Sleepers sleepers = new Sleepers(3, 3);
        private final boolean[] seen = new boolean[3];

        @Operation(nonParallelGroup = "announcer")
        public boolean announce(@Param(name = "worker") int worker) {
            if (seen[worker]) {
                return false;
            }
            seen[worker] = true;
            sleepers.announce(worker, false);
            return true;
        }

        @Operation
        public int claimAny() {
            return sleepers.claimAny();
        }
    }

    /** A stack. A worker that was claimed stays away, which keeps the specification simple. */
    public static class ListSpec {
        private final ArrayDeque<Integer> stack = new ArrayDeque<>();
        private final boolean[] seen = new boolean[3];

        public boolean announce(int worker) {
            if (seen[worker]) {
                return false;
            }
            seen[worker] = true;
            stack.push(worker);
            return true;
        }

        public int claimAny() {
            return stack.isEmpty() ? Sleepers.NOBODY : stack.pop();
        }
    }
}
